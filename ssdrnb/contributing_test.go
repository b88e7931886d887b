package ssdrnb_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gen"
)

// The contributors' guide works when followed literally: its method and its example are added to
// the library, go generate makes the rest, and everything runs.
func TestContributing(t *testing.T) {
	if onceOnly() {
		t.Skip("compiles the package once more")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go on the path")
	}
	page, err := os.ReadFile("../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	var listings []string
	for _, part := range strings.Split(string(page), "```go\n")[1:] {
		listing, _, closed := strings.Cut(part, "```")
		if !closed {
			t.Fatal("a listing does not end")
		}
		listings = append(listings, listing)
	}
	if len(listings) != 2 {
		t.Fatalf("%d listings, want the method and its example", len(listings))
	}
	method, example := listings[0], listings[1]
	examples, err := os.ReadFile("example_supervised_test.go")
	if err != nil {
		t.Fatal(err)
	}

	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	folder, replace := t.TempDir(), map[string]string{}
	overlay := func(name, text string) string {
		path := filepath.Join(folder, filepath.Base(name))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, name)] = path
		return path
	}
	overlay("example_supervised_test.go", string(examples)+"\n"+example)
	files, err := gen.Generate(t.Context(), ".", map[string]string{"ocm.go": overlay("ocm.go", method)})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		overlay(name, text)
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(path, list, 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-count=1", "-v", "-overlay", path, "-run", "^(TestConformance|ExampleOCM)$/^OCM$", ".")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"--- PASS: TestConformance/OCM/orthonormality", "--- PASS: ExampleOCM"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("did not run: %s\n%s", want, out)
		}
	}
}
