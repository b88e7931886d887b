package widgets

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
)

func TestZZTask(t *testing.T) {
	d := datasets.Digits().HideLabels()
	p := labelerTask(t, Labeler(d).Name("pace").Classes("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"))
	raw, err := json.Marshal(p.Task)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/h44/task.json", raw, 0o600)
	raw, _ = json.Marshal(datasets.Digits().Truth)
	os.WriteFile("/tmp/h44/truth.json", raw, 0o600)
}
