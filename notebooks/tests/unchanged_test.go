package tests

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
)

// Opening a committed notebook with its kernel and saving it leaves the file unchanged: the kernel
// reports the language metadata in the notebook.
func TestUnchanged(t *testing.T) {
	browser.All(t)
	t.Parallel()
	const name = "00-quickstart.ipynb"
	bin, env := jupyter(t)
	b := newBench(t)
	before, err := os.ReadFile(name)
	b.must(err)
	root := t.TempDir()
	path := filepath.Join(root, name)
	b.must(os.WriteFile(path, before, 0o600))
	b.address = lab(t, bin, env, root)(name)
	b.load()
	b.idle()
	b.until(patience, "the kernel has told its language", `async () => {
		const info = await window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.info;
		return info.language_info.name === "go";
	}`)
	time.Sleep(time.Second) // JupyterLab may react with a delay
	if ask[bool](t, b.tab, `() => window.jupyterapp.shell.currentWidget.context.model.dirty`) {
		t.Errorf("the notebook is changed by opening it: its metadata are %s", ask[string](t, b.tab, `() => JSON.stringify(window.jupyterapp.shell.currentWidget.context.model.metadata)`))
	}
	b.command("docmanager:save")
	after, err := os.ReadFile(path)
	b.must(err)
	if !bytes.Equal(before, after) {
		at := 0
		for at < min(len(before), len(after)) && before[at] == after[at] {
			at++
		}
		t.Errorf("saving changes the notebook at byte %d from %q to %q", at, before[at:min(at+200, len(before))], after[at:min(at+200, len(after))])
	}
}
