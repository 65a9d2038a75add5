package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestHostileText: whatever is pasted, the answer is a clear error or plain text, nothing is half applied,
// and the page stays well.
func TestHostileText(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			testHostileText(t, open(t, options{fallback: m.fallback, query: "?seed=8&paused=1"}))
		})
	}
}

func testHostileText(t *testing.T, p *tab) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'j'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 10), ", "))
	}
	tests := []struct{ name, script, want string }{
		{"5 MB", `"kind: ConfigMap\napiVersion: v1\nmetadata: {name: big}\ndata:\n" + ("  k: " + "x".repeat(1000) + "\n").repeat(5200)`, ""},
		{"10,000 deep", `"a: " + "[".repeat(10000) + "]".repeat(10000)`, ""},
		{"10,000 deep JSON", `'{"a":'.repeat(10000) + "1" + "}".repeat(10000)`, ""},
		{"an anchor bomb", quote(bomb), ""},
		{"binary", `String.fromCharCode(...Array.from({length: 4096}, (_, i) => i % 256))`, ""},
		{"half of it wrong", quote("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name}\n"), "Bad_Name"},
		{"a name that is HTML", quote("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: '<img src=x onerror=alert(1)>'\n"), "<img src=x onerror=alert(1)>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var answer struct {
				Errors []struct {
					Line, Column, Doc int
					Field, Message    string
				}
				Results []any
			}
			p.eval("terrarium.apply("+tt.script+")", &answer)
			if len(answer.Errors) == 0 {
				t.Fatal("it was taken")
			}
			for _, e := range answer.Errors {
				t.Logf("line %d: %s", e.Line, shorten(e.Message))
				if e.Message == "" || !strings.Contains(e.Message+e.Field, tt.want) && tt.want != "" {
					t.Errorf("error %+v does not say what is wrong", e)
				}
			}
			for _, name := range []string{"big", "good"} {
				if status, _ := p.request("GET", "/api/v1/namespaces/default/configmaps/"+name, nil); status != 404 {
					t.Errorf("configmap %s: got %d, want nothing applied", name, status)
				}
			}
		})
	}
	p.apply("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\n  annotations:\n    note: '<img src=x onerror=\"document.title=1\">'\n")
	p.eval(`document.dispatchEvent(new CustomEvent("terrarium:select", {detail: {resource: "configmaps", namespace: "default", name: "plain"}}))`, nil)
	p.eventually("the inspector shows it as text", `document.getElementById("inspector").textContent.includes("<img src=x onerror")`)
	if n := p.count("#inspector img"); n > 0 {
		t.Errorf("%d pictures came out of an annotation", n)
	}
}
