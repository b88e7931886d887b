// Package tests executes the tutorials with a real Jupyter and opens them in a real JupyterLab.
package tests

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/folders"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
)

// notebook has the fields of an .ipynb file used by the tests.
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

// figures counts the figures and the page-computed widgets among the outputs, and checks that each
// bundle is complete: interactive, static and as text.
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
			if html, ok := o.Data["text/html"]; ok && (bytes.Contains(html, []byte("ssdrnb-figure")) || bytes.Contains(html, []byte(`data-page=\"yes\"`))) {
				count++
				if len(o.Data["text/plain"]) == 0 || len(o.Data["image/png"]) == 0 && !bytes.Contains(html, []byte("data:image/png;base64,")) {
					t.Errorf("cell %d: a figure lacks its image or its text", k)
				}
			}
		}
	}
	return count
}

// surfaces counts the surfaces in the packed data of the figures.
func (nb *notebook) surfaces() int {
	count := 0
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			var html any
			if json.Unmarshal(o.Data["text/html"], &html) == nil && strings.Contains(textOf(html), "ssdrnb-figure") {
				_, data, _ := viztest.Split(textOf(html))
				count += strings.Count(data, `"type":"surface"`)
			}
		}
	}
	return count
}

// wanted is the number of figures and of surfaces in each notebook.
var wanted = map[string]struct{ figures, surfaces int }{
	"00-quickstart.ipynb":        {8, 2},
	"01-trace-ratio.ipynb":       {9, 0},
	"02-s2lae.ipynb":             {3, 0},
	"03-lmrag.ipynb":             {3, 2},
	"04-s3rmm.ipynb":             {10, 1},
	"05-ssgplvm.ipynb":           {7, 0},
	"06-hands-on.ipynb":          {5, 0},
	"07-your-own-data.ipynb":     {7, 0},
	"08-method-gallery.ipynb":    {4, 0},
	"09-coming-from-umap.ipynb":  {2, 0},
	"10-labelling.ipynb":         {2, 0},
	"11-numbers-as-labels.ipynb": {6, 0},
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
			for _, line := range printed(nb) {
				if strings.Contains(line, "map[") {
					t.Errorf("a Go map is printed: %s", line)
				}
			}
			if got := nb.figures(t); got != want.figures {
				t.Errorf("%d figures among the committed outputs, want %d", got, want.figures)
			}
		})
	}
}

// scratch is a shared temporary folder of this package's tests, removed at the end.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "ssdrnb") // short, as it will contain sockets
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	if err := os.Chdir(".."); err != nil { // the folder of the notebooks
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// Tests wait for kernels and pages most of the time; queue and browser.Turn limit the concurrency.
	flag.Parse()
	if err := flag.Set("test.parallel", "100"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	browser.Close()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// jupyter returns the folder of Jupyter's programs and their environment. It skips the test with
// -short and if install.sh has not installed them.
func jupyter(t *testing.T) (bin string, env []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a kernel, which takes its time")
	}
	user, _ := folders.Home()
	base, _ := folders.Data()
	home := os.Getenv("SSDRNB_HOME")
	if home == "" {
		home = filepath.Join(base, "ssdrnb")
	}
	bin = filepath.Join(home, "venv", "bin")
	if _, err := os.Stat(filepath.Join(bin, "jupyter-nbconvert")); err != nil {
		if os.Getenv("SSDRNB_REQUIRE_JUPYTER") != "" {
			t.Fatalf("no Jupyter in %s: run ./install.sh", bin)
		}
		t.Skipf("no Jupyter in %s: run ./install.sh to test the notebooks", bin)
	}
	// Temporary folders with the installed kernel and assets: the user's own are neither read nor
	// changed.
	dir, err := os.MkdirTemp(scratch, "")
	if err != nil {
		t.Fatal(err)
	}
	installed := os.Getenv("JUPYTER_DATA_DIR")
	if installed == "" {
		installed = filepath.Join(base, "jupyter")
		if _, err := os.Stat(installed); err != nil {
			installed = filepath.Join(user, "Library", "Jupyter")
		}
	}
	for _, part := range []string{"kernels", "labextensions"} {
		if err := os.Symlink(filepath.Join(installed, part), filepath.Join(dir, part)); err != nil {
			t.Fatal(err)
		}
	}
	temp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	// The committed outputs come from the embedded data.
	env = append(os.Environ(), "SSDRNB_DATA=", "TMPDIR="+temp, "JUPYTER_DATA_DIR="+dir)
	for name, folder := range map[string]string{
		"JUPYTER_CONFIG_DIR": "config", "JUPYTER_RUNTIME_DIR": "runtime", "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
		"JUPYTERLAB_SETTINGS_DIR": "settings", "SSDRNB_CACHE": "cache", "SSDRNB_CONSTRAINTS": "constraints",
	} {
		env = append(env, name+"="+filepath.Join(dir, folder))
	}
	return bin, env
}

// alone brings up the loopback interface of a separate network and runs a program.
const alone = `import fcntl, os, socket, struct, sys
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH22x", b"lo", 1))
os.execv(sys.argv[1], sys.argv[1:])`

// offline returns the command prefix that runs a command without a network: in an empty network
// namespace if the system allows it, and otherwise with proxy settings that block connections.
var offline = sync.OnceValue(func() []string {
	for _, unshare := range [][]string{{"unshare", "--net"}, {"unshare", "--net", "--map-root-user"}} {
		if exec.Command(unshare[0], append(unshare[1:], "python3", "-c", alone, "/bin/true")...).Run() == nil {
			return append(unshare, "python3", "-c", alone)
		}
	}
	return []string{"/usr/bin/env", "GOPROXY=off", "http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", "no_proxy=127.0.0.1,localhost"}
})

// nbconvert executes a notebook into dir/name, with the command prefix before.
func nbconvert(bin string, env, before []string, from, dir, name string, options ...string) ([]byte, error) {
	words := append(slices.Clone(before), filepath.Join(bin, "jupyter-nbconvert"), "--log-level", "WARN", "--to", "notebook", "--execute",
		"--ExecutePreprocessor.timeout=600", "--output-dir", dir, "--output", name, from)
	words = append(words, options...)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(slices.Clip(env), "SSDRNB_COMPLETION=off")
	return cmd.CombinedOutput()
}

// execution is a notebook of this folder executed by one of the tests.
type execution struct {
	done chan struct{}
	path string
	took time.Duration
	err  error
}

var (
	executions sync.Map                 // *execution by the notebook's name
	queue      = make(chan func(), 100) // executions that wait for a worker
	workers    = sync.OnceFunc(func() {
		for range max(2, runtime.NumCPU()/2) {
			go func() {
				for execute := range queue {
					execute()
				}
			}()
		}
	})
)

// executedIn returns the folder of the executed notebooks. The parts of ./install.sh test share
// one, named in SSDRNB_EXECUTED; a go test has its own.
var executedIn = sync.OnceValue(func() string {
	if dir := os.Getenv("SSDRNB_EXECUTED"); dir != "" {
		return dir
	}
	dir := filepath.Join(scratch, "executed")
	_ = os.MkdirAll(dir, 0o755) // failures are reported where the folder is used
	return dir
})

// begin queues a notebook of this folder for execution without a network, once. Tests share the
// result and must not change it.
func begin(t *testing.T, name string) *execution {
	t.Helper()
	bin, env := jupyter(t)
	kept, known := executions.LoadOrStore(name, &execution{done: make(chan struct{})})
	e := kept.(*execution)
	if known {
		return e
	}
	workers()
	queue <- func() {
		defer close(e.done)
		began := time.Now()
		base := filepath.Base(name)
		e.path = filepath.Join(executedIn(), base)
		if _, err := os.Stat(e.path); err == nil { // by an earlier part
			return
		}
		// It gets its name only when it is complete.
		dir, err := os.MkdirTemp(executedIn(), "")
		if err != nil {
			e.err = err
			return
		}
		if out, err := nbconvert(bin, env, offline(), name, dir, base); err != nil {
			e.err = fmt.Errorf("%s: %w\n%s", name, err, out)
			return
		}
		e.err = os.Rename(filepath.Join(dir, base), e.path)
		e.took = time.Since(began)
	}
	return e
}

// executed returns the path of the executed copy of a notebook of this folder.
func executed(t *testing.T, name string) string {
	t.Helper()
	e := begin(t, name)
	<-e.done
	if e.err != nil {
		t.Fatal(e.err)
	}
	t.Logf("%s executed in %s behind %s", name, e.took.Round(100*time.Millisecond), offline()[0])
	return e.path
}

// long has the notebooks that take longest to execute, as they have long experiments or many cells.
var long = []string{"01-trace-ratio.ipynb", "02-s2lae.ipynb", "03-lmrag.ipynb", "04-s3rmm.ipynb", "05-ssgplvm.ipynb", "08-method-gallery.ipynb", "09-coming-from-umap.ipynb", "11-numbers-as-labels.ipynb"}

func TestExecute(t *testing.T) {
	t.Parallel()
	// The longest notebooks, and those that other tests wait for, start first.
	names := []string{"05-ssgplvm.ipynb", "00-quickstart.ipynb", "02-s2lae.ipynb"}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		want := wanted[name]
		t.Run(name, func(t *testing.T) {
			if slices.Contains(long, name) {
				browser.All(t)
			}
			begin(t, name)
			t.Parallel()
			path := executed(t, name)
			nb := read(t, path)
			if got := nb.figures(t); got != want.figures {
				t.Errorf("%d figures, want %d", got, want.figures)
			}
			// Points instead of a mesh would pass every other check.
			if got := nb.surfaces(); got != want.surfaces {
				t.Errorf("%d surfaces, want %d", got, want.surfaces)
			}
			// The committed outputs are those of the current code.
			now, then := printed(nb), printed(read(t, name))
			for _, d := range differences(then, now) {
				t.Errorf("the committed outputs are not those of an execution: %s", d)
			}
		})
	}
}

// printed returns the output of the cells, one line per element, after the cell's number. Times,
// the engine and the folders of saved files are left out.
func printed(nb *notebook) []string {
	var lines []string
	for k, c := range nb.Cells {
		for _, o := range c.Outputs {
			for _, line := range strings.Split(strings.Join(o.Text, ""), "\n") {
				if !strings.HasPrefix(line, "time ") && !strings.HasPrefix(line, "engine ") && strings.TrimSpace(line) != "" {
					lines = append(lines, fmt.Sprintf("cell-%d: %s", k, folder.ReplaceAllString(took.ReplaceAllString(line, ""), "saved ")))
				}
			}
		}
	}
	return lines
}

var (
	took   = regexp.MustCompile(` +([0-9.]+(h|ms|m|ns|µs|s))+\b`) // with the blanks before it, whose number depends on it
	folder = regexp.MustCompile(`^saved /\S*/`)
	number = regexp.MustCompile(`[-+]?\d+(\.\d+)?([eE][-+]?\d+)?`)
	blanks = regexp.MustCompile(`\s+`)
)

// units is the number of units in its last printed digit by which a number may differ due to
// rounding on other processors.
const units = 3

// differences compares printed lines, and is the only place that defines the tolerance: a number
// with decimals or an exponent may differ by a few units of its last digit; an integer may not. All
// else must be equal, except for the width of blanks, as this depends on the numbers beside them. A
// notebook checks its own claims in a cell.
func differences(then, now []string) []string {
	if len(then) != len(now) {
		return []string{fmt.Sprintf("%d lines instead of %d:\n%s", len(now), len(then), strings.Join(now, "\n"))}
	}
	var found []string
	for k := range then {
		if !alike(then[k], now[k]) {
			found = append(found, fmt.Sprintf("\nnow  %s\nthen %s", now[k], then[k]))
		}
	}
	return found
}

func alike(then, now string) bool {
	frame := func(line string) string {
		return strings.TrimSpace(blanks.ReplaceAllString(number.ReplaceAllString(line, " # "), " "))
	}
	a, b := number.FindAllString(then, -1), number.FindAllString(now, -1)
	if len(a) != len(b) || frame(then) != frame(now) {
		return false
	}
	for k := range a {
		if a[k] == b[k] {
			continue
		}
		unit := max(unit(a[k]), unit(b[k]))
		x, _ := strconv.ParseFloat(a[k], 64)
		y, _ := strconv.ParseFloat(b[k], 64)
		if unit == 0 || math.Abs(x-y) > (units+0.5)*unit {
			return false
		}
	}
	return true
}

// unit is the value of one unit in the last digit of a printed number, 0 for an integer.
func unit(s string) float64 {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(s), "e")
	_, decimals, broken := strings.Cut(mantissa, ".")
	if !broken && !scientific {
		return 0
	}
	power, _ := strconv.Atoi(exponent)
	return math.Pow10(power - len(decimals))
}

// The comparison of outputs ignores rounding and nothing else.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		then, now string
		alike     bool
	}{
		{"λ* = 2.58216, 21 directions", "λ* = 2.58219, 21 directions", true},
		{"λ* = 2.58216, 21 directions", "λ* = 2.58226, 21 directions", false},
		{"λ* = 2.58216, 21 directions", "λ* = 2.58216, 22 directions", false},
		{"LDA   9.9 ± 0.2 %", "LDA  10.1 ± 0.2 %", true},
		{"LDA   9.9 ± 0.2 %", "SDA   9.9 ± 0.2 %", false},
		{"1.97e+07 times", "1.96e+07 times", true},
		{"1.97e+07 times", "1.97e+06 times", false},
		{"-0.001,0.25", "0.001,0.25", true},
		{"at [1 2]", "at [1 2 3]", false},
		{"true", "false", false},
	} {
		if got := alike(c.then, c.now); got != c.alike {
			t.Errorf("%q and %q: alike is %v", c.then, c.now, got)
		}
	}
	for _, time := range []string{"5.2s", "1m3s", "1h2m3.5s", "  730µs", "278.3ms", "5ns"} {
		if got := took.ReplaceAllString("GP-LVM 2 "+time, ""); got != "GP-LVM 2" {
			t.Errorf("of a line with the time %s is left %q", time, got)
		}
	}
	if len(differences([]string{"a"}, nil)) == 0 {
		t.Error("a line that is missing is not noticed")
	}
}
