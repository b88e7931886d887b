package ssdrnb_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The page for contributors is followed to the letter: its method, its line in the
// conformance suite and its example are laid over the library, and run.
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
	if len(listings) != 3 {
		t.Fatalf("%d listings, want the method, its line in the suite and its example", len(listings))
	}
	method, line, example := listings[0], listings[1], listings[2]

	const head = "var builders = map[string]any{\n"
	suite, err := os.ReadFile("conformance_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(suite), head) != 1 {
		t.Fatal("the conformance suite has no builders")
	}
	examples, err := os.ReadFile("example_supervised_test.go")
	if err != nil {
		t.Fatal(err)
	}

	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	folder, replace := t.TempDir(), map[string]string{}
	for name, text := range map[string]string{
		"ocm.go":                     method,
		"conformance_test.go":        strings.Replace(string(suite), head, head+line, 1),
		"example_supervised_test.go": string(examples) + "\n" + example,
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, name)] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o600); err != nil {
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
