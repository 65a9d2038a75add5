package dom

import (
	"html"
	"math"
	"strings"
	"testing"
)

func TestBuilder(t *testing.T) {
	var b Builder
	b.Lit(`<b class="x"`)
	b.Attr("data-name", `a"b'<img onerror=x>&`)
	b.IntAttr("tabindex", -1)
	b.Flag("hidden", true)
	b.Flag("inert", false)
	b.Lit(">")
	b.Text("</b><script>\x00")
	b.Int(math.MinInt64)
	b.Int(0)
	b.Lit("</b>")
	want := `<b class="x" data-name="a&#34;b&#39;&lt;img onerror=x&gt;&amp;" tabindex="-1" hidden>` +
		"&lt;/b&gt;&lt;script&gt;\uFFFD-92233720368547758080</b>"
	if got := b.HTML().String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var outer Builder
	outer.Add(b.HTML())
	if outer.HTML() != b.HTML() {
		t.Error("Add changed the markup")
	}
	b.Reset()
	if b.Len() != 0 || b.HTML().String() != "" {
		t.Error("Reset left something")
	}
}

func FuzzText(f *testing.F) {
	f.Add(`<a href="x">&amp;'`)
	f.Fuzz(func(t *testing.T, s string) {
		var b Builder
		b.Text(s)
		got := b.HTML().String()
		if strings.ContainsAny(got, "<>\"'\x00") {
			t.Errorf("%q became %q", s, got)
		}
		if back := html.UnescapeString(got); back != strings.ReplaceAll(s, "\x00", "\uFFFD") {
			t.Errorf("%q reads as %q", s, back)
		}
	})
}
