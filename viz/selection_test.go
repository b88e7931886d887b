package viz_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// identity is the part of the k-th panel's data that identifies its samples.
func identity(t *testing.T, f viz.Figure, k int) map[string]any {
	t.Helper()
	return payload(t, f)["extra"].(map[string]any)["panels"].([]any)[k].(map[string]any)["samples"].(map[string]any)
}

// storeSelection writes a file as a page does, beside a notebook in a temporary folder.
func storeSelection(t *testing.T, name, content string) {
	t.Helper()
	path := filepath.Join(filepath.Dir(os.Getenv("JPY_SESSION_NAME")), "ssdrnb-constraints", "test", "selection-"+name+".json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSelection(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", filepath.Join(t.TempDir(), "test.ipynb"))
	iris := datasets.Iris().KeepLabels(5).Seed(1)
	print := identity(t, viz.Compare(ssdrnb.PCA().MustFit(iris)), 0)["print"].(string)
	storeSelection(t, "mine", fmt.Sprintf(`{"format":1,"data":"iris","samples":150,"fingerprint":%q,"revision":2,"rows":[149,3,50,3]}`, print))
	s := viz.Selection("mine")
	if s.Err() != nil || !slices.Equal(s.Rows(), []int{3, 50, 149}) || s.String() != "mine: 3 of 150 samples of iris" {
		t.Errorf("%v: %v", s, s.Rows())
	}
	// The same samples with other scales and labels count as the figure's data.
	for _, d := range []*ssdrnb.Data{iris, iris.Standardize(), iris.Scale01(), datasets.Iris()} {
		if part := s.Apply(d); part.Err() != nil || part.Len() != 3 || part.X.At(1, 0) != d.X.At(50, 0) {
			t.Errorf("of %v: %v, %v", d, part, part.Err())
		}
	}
	order := make([]int, 150)
	for i := range order {
		order[i] = 149 - i
	}
	for name, one := range map[string]struct {
		d    *ssdrnb.Data
		want string
	}{
		"fewer":         {iris.Only(0, 1), "(iris, 150 samples), not on these data (100 samples)"},
		"another order": {iris.Subset(order), "(iris, 150 samples), and the features or the order of these samples differ"},
		"other samples": {datasets.TwoMoons(1), "(iris, 150 samples), not on these data (200 samples)"},
	} {
		if err := s.Apply(one.d).Err(); !errors.Is(err, viz.ErrSelection) || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ssdrnb.PCA().Fit(s.Apply(iris.Only(0))); !errors.Is(err, viz.ErrSelection) {
		t.Errorf("the fit returns %v", err)
	}
	// Without a fingerprint, as for a loaded model, the number of samples decides.
	storeSelection(t, "loaded", `{"format":1,"samples":150,"fingerprint":"","rows":[0,1]}`)
	if part := viz.Selection("loaded").Apply(iris); part.Len() != 2 {
		t.Errorf("%v, %v", part, part.Err())
	}
	nameless := viz.Selection("loaded")
	if err := nameless.Apply(datasets.TwoMoons(1)).Err(); nameless.String() != "loaded: 2 of 150 samples" || !strings.Contains(err.Error(), "other data (150 samples)") {
		t.Errorf("%v, %v", nameless, err)
	}
}

func TestSelectionFailures(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", filepath.Join(t.TempDir(), "test.ipynb"))
	fails := func(name, want string) {
		t.Helper()
		s := viz.Selection(name)
		if err := s.Err(); !errors.Is(err, viz.ErrSelection) || !strings.Contains(err.Error(), want) || s.Rows() != nil || s.String() != err.Error() {
			t.Errorf("%q: %v, rows %v", name, err, s.Rows())
		}
		if err := s.Apply(datasets.Iris()).Err(); !errors.Is(err, viz.ErrSelection) {
			t.Errorf("%q: the data have the error %v", name, err)
		}
	}
	for _, name := range []string{"", "../up", "a/b", `a\b`, ".hidden", "line\nbreak", strings.Repeat("x", 200)} {
		fails(name, "cannot be the name of a file")
	}
	fails("none", "select samples with the lasso")
	for content, want := range map[string]string{
		"":                           "damaged",
		"[]":                         "damaged",
		`{"format":2,"rows":[1]}`:    "another version",
		`{"format":1,"samples":150}`: "no samples",
		`{"format":1,"samples":150,"rows":[0,150]}`:   "contains row 150",
		`{"format":1,"samples":150,"rows":[-1]}`:      "contains row -1",
		`{"format":1,"samples":150,"rows":["first"]}`: "damaged",
	} {
		storeSelection(t, "bad", content)
		fails("bad", want)
	}
}

// A name that is not stored is an error that lists the stored names, and a notebook shows it once,
// where the rows are requested.
func TestSelectionOfAnotherName(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", filepath.Join(t.TempDir(), "test.ipynb"))
	storeSelection(t, "young", `{"format":1,"samples":150,"rows":[0]}`)
	for _, notebook := range []string{"", "pipe"} {
		t.Setenv("GONB_PIPE", notebook)
		s := viz.Selection("yong")
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), `none called "yong"`) || !strings.Contains(err.Error(), `choose a stored name ("young"), or select`) {
			t.Fatal(err)
		}
		said := stderr(t, func() {
			_, _ = s.Rows(), s.Rows()
			_ = s.Apply(datasets.Iris())
			_ = viz.Selection("young").Rows()
		})
		want := ""
		if notebook != "" {
			want = s.Err().Error() + "\n"
		}
		if said != want {
			t.Errorf("notebook %q: %q", notebook, said)
		}
	}
}

// stderr returns the standard error of f.
func stderr(t *testing.T, f func()) string {
	t.Helper()
	before := os.Stderr
	defer func() { os.Stderr = before }()
	file, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	os.Stderr = file
	f()
	raw, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A figure includes the identity of its samples, the line that refits on a selection, and, in a
// notebook, the kernel that has drawn it.
func TestIdentity(t *testing.T) {
	iris := datasets.Iris().KeepLabels(5).Seed(1)
	a, b := ssdrnb.PCA().MustFit(iris), ssdrnb.SDA().Neighbors(7).MustFit(iris.Standardize())
	f := viz.Compare(a, b)
	one, two := identity(t, f, 0), identity(t, f, 1)
	if one["print"] != two["print"] || one["n"] != 150.0 || one["code"] != "ssdrnb.PCA()" || two["code"] != "ssdrnb.SDA().Neighbors(7)" {
		t.Errorf("%v and %v", one, two)
	}
	if few := identity(t, viz.Compare(a).Only(3, 4, 5), 0); few["print"] != one["print"] || few["n"] != 150.0 {
		t.Errorf("of three samples: %v", few)
	}
	if raw := identity(t, viz.Compare(viz.Samples(iris)), 0); raw["print"] != one["print"] || raw["code"] != nil {
		t.Errorf("without a model: %v", raw)
	}
	path := filepath.Join(t.TempDir(), "model.npz")
	if err := a.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if of := identity(t, viz.Compare(loaded), 0); of["print"] != "" || of["n"] != 150.0 {
		t.Errorf("of a loaded model: %v", of)
	}
	html := func() string {
		bundle, err := f.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		return bundle["text/html"].(string)
	}
	if strings.Contains(html(), "data-kernel=") {
		t.Error("a figure outside of a notebook names a kernel")
	}
	t.Setenv(protocol.GONB_JUPYTER_KERNEL_ID_ENV, `the"kernel`)
	if !strings.Contains(html(), ` data-kernel="the&#34;kernel" data-notebook="viz-`) {
		t.Error("a figure of a notebook does not name its kernel")
	}
	if s := payload(t, viz.Compare(a).Color(iris.FeatureNames[0]))["extra"].(map[string]any)["legend"]; s != "values "+iris.FeatureNames[0] {
		t.Errorf("the legend lists %q", s)
	}
}
