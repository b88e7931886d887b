package tests

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/notebooks/tests/browser"
)

// session starts a kernel and runs a first cell as a reader does. The script appended to it
// requests completions and help; the times and results are printed at the end.
const session = `
import json, sys, time
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="gonb", startup_timeout=120)
try:
    began = time.time()
    client.execute_interactive('import "github.com/ssdrnb/ssdrnb/ssdrnb"\nimport "github.com/ssdrnb/ssdrnb/viz"\n%%\nfmt.Println(ssdrnb.PCA().Spec().Method().Name)', timeout=120, output_hook=lambda m: None)
    cell = time.time() - began
    out, help = [], {}
    def ask(code):
        began = time.time()
        reply = client.complete(code, len(code), reply=True, timeout=120)["content"]
        out.append({"code": code, "seconds": time.time() - began, "matches": reply["matches"]})
    def inspect(name, code, position):
        reply = client.inspect(code, position, reply=True, timeout=120)["content"]
        help[name] = " ".join(reply["data"].values())
SCRIPT
    print(json.dumps({"cell": cell, "requests": out, "help": help}))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
`

// asked is the result of the requests of a session.
type asked struct {
	Cell     float64
	Requests []struct {
		Code    string
		Seconds float64
		Matches []string
	}
	Help map[string]string
}

// inSession runs a script in a session.
func inSession(t *testing.T, script string) (got asked) {
	t.Helper()
	bin, env := jupyter(t)
	browser.Quiet(t)
	browser.Turn(t)
	cmd := exec.Command(filepath.Join(bin, "python"), "-c", strings.Replace(session, "SCRIPT", script, 1))
	cmd.Env = env
	var said strings.Builder
	cmd.Stderr = &said
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	t.Logf("the first cell took %.2f s", got.Cell)
	for _, r := range got.Requests {
		t.Logf("%q: %d completions after %.2f s", r.Code, len(r.Matches), r.Seconds)
		name := r.Code[strings.LastIndexByte(r.Code, '.')+1:]
		if !slices.ContainsFunc(r.Matches, func(m string) bool { return strings.HasPrefix(m, name) }) {
			t.Errorf("%q: no completion of %s among %q", r.Code, name, r.Matches)
		}
	}
	return got
}

// complete requests the completion of names, and of the options after the dot.
const complete = `    first = "%%\nssdrnb.TRS"
    while not client.complete(first, len(first), reply=True, timeout=120)["content"]["matches"] and time.time() - began < 120:
        time.sleep(0.2)
    for code in [first, "%%\nviz.Emb", "%%\nx := ssdrnb.TRSDA().Neigh", "%%\nssdrnb.TRS", "%%\nviz.Comp", "%%\nfmt.Prin", "%%\nx := ssdrnb.TRSDA()."]:
        ask(code)
    for name in ["TRSDA", "Neighbors", "Affinity", "Manifold"]:
        code = '%%\nx := ssdrnb.TRSDA().Neighbors(8).Affinity("heat").Manifold(0.1)'
        inspect(name, code, code.index(name) + 1)`

// Tab completes the names of the library after the language server has read it.
func TestCompletion(t *testing.T) {
	t.Parallel()
	got := inSession(t, complete)
	// After the dot all options are offered, and the help describes them.
	for _, name := range []string{"Dims", "PCA", "Neighbors", "Affinity", "Width", "Ridge", "RidgeScale", "Manifold", "Balance", "Fit", "MustFit"} {
		if last := got.Requests[len(got.Requests)-1]; !slices.Contains(last.Matches, name) {
			t.Errorf("%q: no completion %s among %q", last.Code, name, last.Matches)
		}
	}
	for name, words := range map[string][]string{
		"TRSDA":     {"trace ratio semi-supervised discriminant analysis", "Defaults:"},
		"Neighbors": {"(k int) *ssdrnb.TRSDABuilder", "below the number of samples", "the default is 8"},
		"Affinity":  {"(kind ssdrnb.Affinity) *ssdrnb.TRSDABuilder", "Binary", "Heat", "SelfTuning"},
		"Manifold":  {"(weight float64) *ssdrnb.TRSDABuilder", "at least 0; the default is 0.01", "the weight 0.1 gives the manifold term a tenth"},
	} {
		help := strings.Join(strings.Fields(got.Help[name]), " ")
		for _, w := range words {
			if !strings.Contains(help, w) {
				t.Errorf("the help on %s lacks %q: %s", name, w, help)
			}
		}
	}
}

// In a fresh kernel the first Tab follows a bare dot, and others a call: imports of earlier cells
// work as in a cell that parses. Help on something undocumented reports this, even if the cell has
// no name at all.
func TestFirstTab(t *testing.T) {
	t.Parallel()
	got := inSession(t, `    for code in ["%%\nssdrnb.", "%%\nx := ssdrnb.TRSDA().", "%%\nviz.", "%%\nviz.Embedding(nil).", "%%\nx := ssdrnb.TRSDA().Neighbors(8)."]:
        ask(code)
    for name, code, position in [("unknown", "%%\nnonsense", 5), ("method", "%%\nssdrnb.TRSDA().Nonsense()", 19), ("incomplete", "%%\nssdrnb.TRSDA().", 11), ("empty", "", 0), ("blank", "()", 1)]:
        inspect(name, code, position)`)
	for k, names := range map[int][]string{0: {"TRSDA", "PCA"}, 1: {"Neighbors", "MustFit"}, 2: {"Embedding", "Compare"}, 3: {"Show", "Save"}, 4: {"Neighbors", "MustFit"}} {
		for _, name := range names {
			if r := got.Requests[k]; !slices.Contains(r.Matches, name) {
				t.Errorf("%q: no completion %s among %q", r.Code, name, r.Matches)
			}
		}
	}
	for _, name := range []string{"unknown", "method", "empty", "blank"} {
		if got.Help[name] != "no help for this name" {
			t.Errorf("help on what is %s: %q", name, got.Help[name])
		}
	}
	if !strings.Contains(got.Help["incomplete"], "trace ratio semi-supervised discriminant analysis") {
		t.Errorf("help in a cell that does not parse: %q", got.Help["incomplete"])
	}
}
