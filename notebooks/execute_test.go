// Package notebooks holds the tutorials; its tests execute them with a real
// Jupyter and open them in a real JupyterLab.
package notebooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// notebook is what the tests read of an .ipynb file.
type notebook struct {
	Cells []struct {
		CellType string   `json:"cell_type"`
		Source   []string `json:"source"`
		Outputs  []struct {
			OutputType string                     `json:"output_type"`
			Name       string                     `json:"name"`
			Text       []string                   `json:"text"`
			Data       map[string]json.RawMessage `json:"data"`
			Ename      string                     `json:"ename"`
			Evalue     string                     `json:"evalue"`
		} `json:"outputs"`
	} `json:"cells"`
	Metadata struct {
		Kernelspec struct{ Name string } `json:"kernelspec"`
	} `json:"metadata"`
}

func read(t *testing.T, path string) *notebook {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var nb notebook
	if err := json.Unmarshal(raw, &nb); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &nb
}

// figures counts the figures among the outputs and checks that each is a whole
// bundle: interactive, static and in words.
func (nb *notebook) figures(t *testing.T) int {
	t.Helper()
	count := 0
	for k, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.OutputType == "error" {
				t.Errorf("cell %d: %s: %s", k, o.Ename, o.Evalue)
			}
			text := strings.Join(o.Text, "")
			if o.Name == "stderr" || strings.Contains(text, "exit status") || strings.Contains(text, "panic:") {
				t.Errorf("cell %d: %s", k, text)
			}
			if html, ok := o.Data["text/html"]; ok && bytes.Contains(html, []byte("ssdrnb-figure")) {
				count++
				for _, mime := range []string{"image/png", "text/plain"} {
					if len(o.Data[mime]) == 0 {
						t.Errorf("cell %d: a figure lacks %s", k, mime)
					}
				}
			}
		}
	}
	return count
}

// wanted is the number of figures and of surfaces that each notebook shows.
var wanted = map[string]struct{ figures, surfaces int }{
	"00-quickstart.ipynb":     {4, 2},
	"01-trace-ratio.ipynb":    {9, 0},
	"02-s2lae.ipynb":          {3, 0},
	"03-lmrag.ipynb":          {2, 2},
	"04-s3rmm.ipynb":          {11, 1},
	"05-ssgplvm.ipynb":        {10, 0},
	"06-hands-on.ipynb":       {4, 0},
	"07-your-own-data.ipynb":  {3, 0},
	"08-method-gallery.ipynb": {1, 0},
}

func TestCommitted(t *testing.T) {
	paths, err := filepath.Glob("*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks: %v", err)
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size() > 2<<20 {
				t.Errorf("%d bytes, more than 2 MiB", info.Size())
			}
			nb := read(t, path)
			if nb.Metadata.Kernelspec.Name != "gonb" {
				t.Errorf("kernel %q", nb.Metadata.Kernelspec.Name)
			}
			want, ok := wanted[path]
			if !ok {
				t.Fatalf("say in wanted how many figures it shows")
			}
			if got := nb.figures(t); got != want.figures {
				t.Errorf("%d figures among the committed outputs, want %d", got, want.figures)
			}
		})
	}
}

// jupyter returns the folder of Jupyter's programs and the environment for them,
// or skips the test where install.sh has not set them up.
func jupyter(t *testing.T) (bin string, env []string) {
	t.Helper()
	home := os.Getenv("SSDRNB_HOME")
	if home == "" {
		base := os.Getenv("XDG_DATA_HOME")
		if base == "" {
			user, _ := os.UserHomeDir()
			base = filepath.Join(user, ".local", "share")
		}
		home = filepath.Join(base, "ssdrnb")
	}
	bin = filepath.Join(home, "venv", "bin")
	if _, err := os.Stat(filepath.Join(bin, "jupyter-nbconvert")); err != nil {
		if os.Getenv("SSDRNB_REQUIRE_JUPYTER") != "" {
			t.Fatalf("no Jupyter in %s: run ./install.sh", bin)
		}
		t.Skipf("no Jupyter in %s: run ./install.sh to test the notebooks", bin)
	}
	// A data folder of the test's own, with the installed kernel and assets: trust
	// and workspaces of the test stay out of the user's.
	data := t.TempDir()
	installed := os.Getenv("JUPYTER_DATA_DIR")
	if installed == "" {
		installed = filepath.Join(filepath.Dir(home), "jupyter")
		if _, err := os.Stat(installed); err != nil {
			user, _ := os.UserHomeDir()
			installed = filepath.Join(user, "Library", "Jupyter")
		}
	}
	for _, part := range []string{"kernels", "labextensions"} {
		if err := os.Symlink(filepath.Join(installed, part), filepath.Join(data, part)); err != nil {
			t.Fatal(err)
		}
	}
	// The committed outputs are those of the embedded data.
	return bin, append(os.Environ(), "SSDRNB_DATA=", "JUPYTER_DATA_DIR="+data, "JUPYTER_CONFIG_DIR="+filepath.Join(data, "config"),
		"JUPYTERLAB_WORKSPACES_DIR="+filepath.Join(data, "workspaces"), "JUPYTERLAB_SETTINGS_DIR="+filepath.Join(data, "settings"),
		"SSDRNB_CACHE="+filepath.Join(data, "cache"))
}

// execute runs a notebook of this folder into dir.
func execute(t *testing.T, bin string, env []string, name, dir string) string {
	t.Helper()
	began := time.Now()
	cmd := exec.Command(filepath.Join(bin, "jupyter-nbconvert"), "--log-level", "WARN", "--to", "notebook", "--execute",
		"--ExecutePreprocessor.timeout=600", "--output-dir", dir, "--output", name, name)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	t.Logf("%s executed in %s", name, time.Since(began).Round(100*time.Millisecond))
	return filepath.Join(dir, name)
}

func TestExecute(t *testing.T) {
	bin, env := jupyter(t)
	dir := t.TempDir()
	for name, want := range wanted {
		t.Run(name, func(t *testing.T) {
			path := execute(t, bin, env, name, dir)
			nb := read(t, path)
			if got := nb.figures(t); got != want.figures {
				t.Errorf("%d figures, want %d", got, want.figures)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			// Dots instead of a mesh would pass every other check.
			if got := bytes.Count(raw, []byte(`\"type\":\"surface\"`)); got != want.surfaces {
				t.Errorf("%d surfaces, want %d", got, want.surfaces)
			}
			// The outputs that are committed are those of this code.
			if now, then := texts(nb), texts(read(t, name)); now != then {
				t.Errorf("the committed outputs are not those of an execution:\n%s\nnot\n%s", then, now)
			}
		})
	}
}

// took matches a time and the room before it, which depends on its length.
var took = regexp.MustCompile(` +[0-9.]+(ns|µs|ms|s)\b`)

// texts joins what the cells print, without times.
func texts(nb *notebook) string {
	var b strings.Builder
	for k, c := range nb.Cells {
		for _, o := range c.Outputs {
			for _, line := range strings.SplitAfter(strings.Join(o.Text, ""), "\n") {
				if !strings.HasPrefix(line, "time ") && !strings.HasPrefix(line, "engine ") && strings.TrimSpace(line) != "" {
					fmt.Fprintf(&b, "%d: %s", k, took.ReplaceAllString(line, ""))
				}
			}
		}
	}
	return b.String()
}
