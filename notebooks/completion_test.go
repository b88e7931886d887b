package notebooks

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// complete starts the kernel, runs a first cell as a reader does, and asks for
// completions and for the help on names. It prints what each request took and brought.
const complete = `
import json, sys, time
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="gonb", startup_timeout=120)
try:
    began = time.time()
    client.execute_interactive('import "github.com/ssdrnb/ssdrnb/ssdrnb"\nimport "github.com/ssdrnb/ssdrnb/viz"\n%%\nfmt.Println(ssdrnb.PCA().Spec().Method().Name)', timeout=120, output_hook=lambda m: None)
    cell = time.time() - began
    out = []
    def ask(code):
        began = time.time()
        reply = client.complete(code, len(code), reply=True, timeout=120)["content"]
        out.append({"code": code, "seconds": time.time() - began, "matches": reply["matches"]})
    first = "%%\nssdrnb.TRS"
    while not client.complete(first, len(first), reply=True, timeout=120)["content"]["matches"] and time.time() - began < 120:
        time.sleep(0.2)
    for code in [first, "%%\nviz.Emb", "%%\nx := ssdrnb.TRSDA().Neigh", "%%\nssdrnb.TRS", "%%\nviz.Comp", "%%\nfmt.Prin", "%%\nx := ssdrnb.TRSDA()."]:
        ask(code)
    help = {}
    for name in ["TRSDA", "Neighbors", "Affinity", "Manifold"]:
        code = '%%\nx := ssdrnb.TRSDA().Neighbors(8).Affinity("heat").Manifold(0.1)'
        reply = client.inspect(code, code.index(name) + 1, reply=True, timeout=120)["content"]
        help[name] = " ".join(reply["data"].values())
    print(json.dumps({"cell": cell, "requests": out, "help": help}))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
`

// Tab completes the names of the library, once the language server has read it.
func TestCompletion(t *testing.T) {
	t.Parallel()
	bin, env := jupyter(t)
	occupy(t)
	cmd := exec.Command(filepath.Join(bin, "python"), "-c", complete)
	cmd.Env = env
	var said strings.Builder
	cmd.Stderr = &said
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var got struct {
		Cell     float64
		Requests []struct {
			Code    string
			Seconds float64
			Matches []string
		}
		Help map[string]string
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	t.Logf("the first cell took %.2f s", got.Cell)
	for _, r := range got.Requests {
		t.Logf("%q: %d completions after %.2f s", r.Code, len(r.Matches), r.Seconds)
		name := r.Code[strings.LastIndexByte(r.Code, '.')+1:]
		found := false
		for _, m := range r.Matches {
			found = found || strings.HasPrefix(m, name)
		}
		if !found {
			t.Errorf("%q: no completion of %s among %q", r.Code, name, r.Matches)
		}
	}
	// After the dot all options are offered, and the help says what they mean.
	for _, name := range []string{"Dims", "PCA", "Neighbors", "Affinity", "Width", "Ridge", "RidgeScale", "Manifold", "Balance", "Fit", "MustFit"} {
		if last := got.Requests[len(got.Requests)-1]; !slices.Contains(last.Matches, name) {
			t.Errorf("%q: no completion %s among %q", last.Code, name, last.Matches)
		}
	}
	for name, words := range map[string][]string{
		"TRSDA":     {"trace ratio semi-supervised discriminant analysis", "Defaults:"},
		"Neighbors": {"(k int) *ssdrnb.TRSDABuilder", "less than the number of samples", "the default is 8"},
		"Affinity":  {"(kind ssdrnb.Affinity) *ssdrnb.TRSDABuilder", "Binary", "Heat", "SelfTuning"},
		"Manifold":  {"(weight float64) *ssdrnb.TRSDABuilder", "at least 0; the default is 0.01", "0.1 means a tenth"},
	} {
		help := strings.Join(strings.Fields(got.Help[name]), " ")
		for _, w := range words {
			if !strings.Contains(help, w) {
				t.Errorf("the help on %s lacks %q: %s", name, w, help)
			}
		}
	}
}
