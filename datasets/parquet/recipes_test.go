package parquet

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// recipes returns the Python code in notebook 07 that reads the tables of Model.WriteTable.
func recipes(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "notebooks", "07-your-own-data.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Source []string
		}
	}
	if err := json.Unmarshal(raw, &notebook); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, c := range notebook.Cells {
		for _, block := range strings.Split(strings.Join(c.Source, ""), "```python\n")[1:] {
			if code, _, _ := strings.Cut(block, "```"); strings.Contains(code, "penguins.") {
				found = append(found, code)
			}
		}
	}
	return found
}

// The recipes of notebook 07 run with the real Python packages and find the values of the model in
// the tables. SSDRNB_PYTHON names a Python with pandas, pyarrow, datamapplot, embedding-atlas and
// anywidget.
func TestRecipes(t *testing.T) {
	code := recipes(t)
	if len(code) != 2 {
		t.Fatalf("notebook 07 has %d recipes that read a table of penguins", len(code))
	}
	python := os.Getenv("SSDRNB_PYTHON")
	if python == "" {
		t.Skip("not tried: SSDRNB_PYTHON names no Python with pandas, pyarrow, datamapplot, embedding-atlas and anywidget")
	}
	birds, err := datasets.Penguins().Data(datasets.Label("Species"), datasets.Without("Sample Number", "Comments"))
	if err != nil {
		t.Fatal(err)
	}
	model, err := ssdrnb.SDA().Fit(birds.KeepLabels(5).Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, ending := range []string{".csv", ".jsonl", ".parquet"} {
		if err := model.WriteTable(filepath.Join(folder, "penguins"+ending)); err != nil {
			t.Fatal(err)
		}
	}
	// The values of the model, read in another way.
	if err := model.Save(filepath.Join(folder, "model.npz")); err != nil {
		t.Fatal(err)
	}
	const tests = `
import json
import numpy as np

y = np.load("model.npz")["embedding"]
n = len(y)
forms = {"csv": pd.read_csv("penguins.csv"), "parquet": pd.read_parquet("penguins.parquet"), "jsonl": pd.read_json("penguins.jsonl", lines=True)}
for form, frame in forms.items():
    assert len(frame) == n, (form, len(frame))
    assert np.allclose(frame[["projection_x", "projection_y"]], y, rtol=1e-12, atol=0), form
    assert frame["label"].notna().sum() == 15 and frame["class"].notna().all(), form
    assert list(frame.columns) == list(forms["csv"].columns), form
    mass = frame["Body Mass (g)"]
    assert mass.isna().sum() == 2 and mass.max() == 6300, (form, mass.max())
    cells = frame["neighbors"] if form == "jsonl" else frame["neighbors"].map(json.loads)
    ids = np.array([c["ids"] for c in cells])
    assert ids.shape == (n, 10) and ids.max() < n and (ids != np.arange(n)[:, None]).all(), form
    assert (np.diff([c["distances"] for c in cells]) >= 0).all(), form
`
	for k, after := range []string{
		tests + `
import os
assert len(figure.axes) == 1 and os.path.getsize("penguins.png") > 20000
assert sum(len(c.get_offsets()) for c in axes.collections) >= n
`,
		tests + `
atlas = _
count = atlas._connection.sql("select count(*), min(len(neighbors.ids)), max(projection_x) from embedding_atlas where neighbors.distances[1] >= 0").fetchall()[0]
assert count[:2] == (n, 10) and np.isclose(count[2], y[:, 0].max()), count
assert atlas._props["data"]["neighbors"] == "neighbors" and atlas._props["data"]["id"] == "row", atlas._props
`,
	} {
		script := code[k]
		if k == 1 { // Jupyter shows the value of the last line
			script = strings.Replace(script, "\nEmbeddingAtlasWidget(", "\n_ = EmbeddingAtlasWidget(", 1)
		}
		cmd := exec.Command(python, "-c", script+after)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "MPLBACKEND=Agg")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, script, out)
		}
	}
}
