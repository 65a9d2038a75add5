package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// Budgets in brotli bytes, from the design: what a visitor on a bad line waits for.
const (
	usableBudget = 600_000   // until the page can be used: the editor and the frame of everything else
	readyBudget  = 3_500_000 // until the cluster serves
)

// A person can read and write as soon as the page's HTML, style and scripts are there: the editor needs no
// wasm. page.wasm comes beside it, for a board that has nothing to show before the cluster serves, and the
// cluster's program behind that.
var (
	afterUsable = []string{"page.wasm", "cluster-worker.js", "cluster.wasm"}
	afterPage   = afterUsable[1:]
)

// Sizes is a table of what a first visit loads, and says what is over budget.
func (m *Manifest) Sizes(dist string) (table string, over []string) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "raw\tbrotli\tgzip\tfile\t")
	row := func(f File, name string) { fmt.Fprintf(w, "%d\t%d\t%d\t%s\t\n", f.Raw, f.Br, f.Gz, name) }
	var usable, page, ready File
	for _, f := range append([]File{indexFile(dist)}, m.Files...) {
		row(f, f.Name)
		ready.add(f)
		if !slices.Contains(afterUsable, f.Name) {
			usable.add(f)
		}
		if !slices.Contains(afterPage, f.Name) {
			page.add(f)
		}
	}
	row(usable, fmt.Sprintf("page usable (budget %d)", usableBudget))
	row(page, "page complete")
	row(ready, fmt.Sprintf("cluster serves (budget %d)", readyBudget))
	w.Flush()
	if usable.Br > usableBudget {
		over = append(over, fmt.Sprintf("page usable after %d bytes of brotli, budget %d", usable.Br, usableBudget))
	}
	if ready.Br > readyBudget {
		over = append(over, fmt.Sprintf("cluster serves after %d bytes of brotli, budget %d", ready.Br, readyBudget))
	}
	return b.String(), over
}

func (f *File) add(g File) { f.Raw, f.Br, f.Gz = f.Raw+g.Raw, f.Br+g.Br, f.Gz+g.Gz }

// indexFile measures index.html, which the manifest leaves out because its name has no hash.
func indexFile(dist string) File {
	size := func(ext string) int64 {
		st, err := os.Stat(filepath.Join(dist, "index.html"+ext))
		if err != nil {
			return 0
		}
		return st.Size()
	}
	return File{Name: "index.html", Raw: size(""), Br: size(".br"), Gz: size(".gz")}
}
