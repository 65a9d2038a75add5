package table

import (
	"fmt"
	"strings"
)

// More joins the first most elements of list and says how many more there are.
func More(list []string, most int) string {
	if len(list) > most {
		return fmt.Sprintf("%s + %d more...", strings.Join(list[:most], ","), len(list)-most)
	}
	return strings.Join(list, ",")
}
