package all_test

import (
	"testing"

	"terrarium/core/kinds/all"
)

// Every table has a cell a column, even for an object with nothing in it.
func TestColumnsOfEmptyObjects(t *testing.T) {
	for _, k := range all.Registry().List() {
		c := k.Strategy.Columns
		if c == nil {
			continue
		}
		cells := c.Cells(k.New(), 0)
		if len(cells) != len(c.Columns) {
			t.Errorf("%v has %d cells for %d columns", k.GVK, len(cells), len(c.Columns))
		}
		for i, cell := range cells {
			switch cell.(type) {
			case string, int64, bool:
			default:
				t.Errorf("%v: %s is a %T", k.GVK, c.Columns[i].Name, cell)
			}
		}
	}
}
