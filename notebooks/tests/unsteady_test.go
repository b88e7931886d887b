package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
)

// The first run of install.sh's go_test skips tests that need a browser. In the second run a
// failing test is repeated and named, even if it made the others fail, and a test that fails twice
// fails.
func TestUnsteady(t *testing.T) {
	browser.All(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	script, err := os.ReadFile("../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(script), "\ngo_test() {\n")
	function, _, found := strings.Cut(rest, "\n}\n")
	if _, err := exec.LookPath("bash"); err != nil || !found {
		t.Skipf("no bash, or no go_test in install.sh: %v", err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/unsteady\n\ngo 1.25\n",
		"some_test.go": `package unsteady

import (
	"os"
	"testing"
)

func later(t *testing.T) {
	if os.Getenv("SSDRNB_BROWSER") == "later" {
		t.Skip("` + browser.Later + `")
	}
}

// again is false in the first run.
func again(name string) bool {
	_, err := os.Stat(name)
	_ = os.WriteFile(name, nil, 0o600)
	return err == nil
}

func TestPlain(t *testing.T) {}
func TestSub(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		if later(t); !again("sub") {
			t.Error("once")
		}
	})
}
func TestPanics(t *testing.T) {
	if later(t); !again("panics") {
		panic("once")
	}
}
func TestBehind(t *testing.T) {
	if later(t); os.Getenv("BROKEN") != "" {
		t.Error("always")
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(environment, arguments string) (string, error) {
		cmd := exec.Command("bash", "-c", "go_test() {\n"+function+"\n}\nLATER=later UNSTEADY=unsteady go_test "+arguments)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "SSDRNB_BROWSER=", environment)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	is := func(file, want string) {
		t.Helper()
		if raw, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(raw) != want {
			t.Errorf("%s has %q, want %q (%v)", file, raw, want, err)
		}
	}
	if out, err := run("SSDRNB_BROWSER=later", "./..."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	is("later", "example.org/unsteady TestBehind\nexample.org/unsteady TestPanics\nexample.org/unsteady TestSub\n")
	if out, err := run("SSDRNB_BROWSER=", "--later"); err != nil || !strings.Contains(out, "repeating TestBehind") {
		t.Fatalf("%v\n%s", err, out)
	}
	is("unsteady", "TestPanics in example.org/unsteady\nTestSub in example.org/unsteady\n")
	if out, err := run("BROKEN=yes", "--later"); err == nil || !strings.Contains(out, "always") {
		t.Errorf("a test that fails twice passes: %s", out)
	}
	if out, err := run("BROKEN=", "--nonsense"); err == nil {
		t.Errorf("a failure of go test goes unnoticed: %s", out)
	}
}
