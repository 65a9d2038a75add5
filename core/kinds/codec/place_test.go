package codec

import "testing"

func TestLocate(t *testing.T) {
	docs, err := Documents([]byte("# one\na: 1\n---\nspec:\n  containers:\n  - name: web\n    image: nginx\n  - name: log\nmetadata:\n  labels:\n    app.kubernetes.io/name: x\n"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path         string
		line, column int
	}{
		{"spec.containers[0].image", 7, 5},
		{"spec.containers[1]", 8, 5},
		{"spec.containers[1].image", 8, 5},
		{"spec.containers[7].image", 5, 3},
		{"spec.container", 4, 1},
		{"metadata.labels[app.kubernetes.io/name]", 11, 5},
		{"status", 4, 1},
		{"", 4, 1},
		{"spec[", 4, 1},
	}
	for _, tt := range tests {
		if line, column := docs[1].Locate(tt.path); line != tt.line || column != tt.column {
			t.Errorf("Locate(%q) is %d:%d, want %d:%d", tt.path, line, column, tt.line, tt.column)
		}
	}
}
