package interact

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// The claimed size of a task is compared with its rows and columns before memory is allocated.
func TestTaskMemory(t *testing.T) {
	d := data.New(mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8}), nil)
	raw, err := json.Marshal(Task{Kind: KindExplorer, Spec: ssdrnb.PCA().Spec(), Data: d})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	bomb, err := json.Marshal(make(numbers, 8<<20).pack())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "anchors", "start"} {
		of := fields["data"].(map[string]any)
		before := of[name]
		of[name], of["anchorRows"] = strings.Trim(string(bomb), `"`), []int{0}
		attack, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		var a, b runtime.MemStats
		runtime.ReadMemStats(&a)
		var task Task
		err = task.UnmarshalJSON(attack)
		runtime.ReadMemStats(&b)
		if err == nil {
			t.Errorf("%s: more numbers than samples are taken", name)
		}
		if mb := (b.TotalAlloc - a.TotalAlloc) >> 20; mb > 8 {
			t.Errorf("%s: %d MB for a task of %d kB", name, mb, len(attack)>>10)
		}
		of[name] = before
	}
}
