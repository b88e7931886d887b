package notebooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The state of a checkout, by which install.sh knows whether to set up anew, is the same
// after a notebook was read and saved, and another after a script has changed.
func TestInstallState(t *testing.T) {
	for _, name := range []string{"bash", "python3", "go"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no %s", name)
		}
	}
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"install.sh", "go.mod", "go.sum", "notebooks/clean.py", "notebooks/a.ipynb"} {
		write(name, "")
	}
	state := func() string {
		t.Helper()
		run := exec.Command("bash", "-euc", `eval "$(sed -n '/^jupyter_data() {/,/^}/p; /^state() {/,/^}/p' ../install.sh)"; state`)
		run.Env = append(os.Environ(), "ROOT="+root, "HOME_DIR="+root)
		out, err := run.CombinedOutput()
		if err != nil || len(out) < 64 {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	before := state()
	write("notebooks/a.ipynb", "saved")
	write("notebooks/.ipynb_checkpoints/a-checkpoint.ipynb", "as it was")
	write("notebooks/ssdrnb-constraints/a/selection-mine.json", "{}")
	if state() != before {
		t.Error("a notebook that was read and saved changes the state")
	}
	write("notebooks/clean.py", "changed")
	if state() == before {
		t.Error("a script that changed does not")
	}
}
