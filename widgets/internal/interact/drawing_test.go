package interact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// classTasks returns a task of each widget that stores classes.
func classTasks(t *testing.T) []Task {
	d := datasets.Iris().Subset([]int{0, 1, 2, 50, 51, 52, 100, 101, 102}).HideLabels()
	methods := []ssdrnb.Spec{ssdrnb.PCA().Spec()}
	return []Task{
		{Kind: KindEditor, Spec: methods[0], Data: d},
		{Kind: KindScribble, Spec: methods[0], Data: d, Base: image.NewGray(image.Rect(0, 0, 3, 3))},
		{Kind: KindLabeler, Data: d},
		{Kind: KindPaint, Data: moons(t).Subset([]int{0}), Methods: methods, Lift: Lift{Dims: 2, Seed: 1}},
	}
}

func (t Task) opened(test *testing.T, s *memory, classes ...string) Running {
	test.Helper()
	t.Name, t.Classes = "x", classes
	w, err := t.Open(context.Background(), s, s.content)
	if err != nil {
		test.Fatalf("%s with %q: %v", t.Kind, classes, err)
	}
	return w
}

// mark gives class k to the sample, pixel or spot i.
func mark(t *testing.T, w Running, i, k int) {
	t.Helper()
	if err := marking(w, i, k); err != nil {
		t.Fatal(err)
	}
}

func marking(w Running, i, k int) error {
	kind, body := "label", any(map[string]any{"Rows": []int{i}, "Class": k})
	switch w.(type) {
	case *Scribble:
		kind, body = "stroke", map[string]any{"Points": [][2]float64{{float64(i%3) + 0.5, float64(i/3) + 0.5}}, "Radius": 0.5, "Class": k}
	case *Painter:
		kind, body = "paint", map[string]any{"Points": [][2]float64{{float64(i) / 10, 0}}, "Class": k}
	}
	raw, err := json.Marshal(body)
	if err == nil {
		_, err = w.Event(kind, raw)
	}
	return err
}

// marked returns the class names of the marked samples, pixels or spots.
func marked(w Running) (names []string) {
	switch w := w.(type) {
	case *Painter:
		for _, s := range w.Spots[1:] {
			names = append(names, w.Classes[s.Class])
		}
		return names
	case *Labeler:
		for _, i := range w.set.labelled() {
			names = append(names, w.set.Classes[w.set.Labels[i]])
		}
		return names
	}
	c := w.(interface{ Constraints() ConstraintSet }).Constraints()
	for _, i := range c.labelled() {
		names = append(names, c.Classes[c.Labels[i]])
	}
	return names
}

// sparseData and distancesData return three samples without dense features.
func sparseData(t *testing.T) *data.Data {
	t.Helper()
	rows, err := sparse.FromTriplets(3, 2, []sparse.Triplet{{Row: 0, Col: 0, Value: 1}, {Row: 1, Col: 1, Value: 2}, {Row: 2, Col: 1, Value: 3}})
	if err != nil {
		t.Fatal(err)
	}
	return data.NewSparse(rows, []int{0, 1, 1})
}

func distancesData() *data.Data {
	return data.FromDistances(mat.NewSymDense(3, []float64{0, 1, 2, 1, 0, 1, 2, 1, 0}))
}

// Data without dense features are refused by each widget and by drawings on other data.
func TestNeedsDenseFeatures(t *testing.T) {
	set := ConstraintSet{fingerprint: Fingerprint(datasets.Iris()), n: 3, Labels: map[int]int{0: 1}}
	for name, d := range map[string]*data.Data{
		"sparse":    sparseData(t),
		"distances": distancesData(),
		"neighbors": data.FromNeighbors(2, []int32{1, 2, 0, 2, 0, 1}, []float64{1, 1, 1, 1, 1, 1}),
		"nothing":   {},
	} {
		if err := d.Err(); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{KindExplorer, KindEditor, KindSweep, KindScribble, KindPlayground, KindPaint, KindLabeler, KindStage, KindBeat} {
			task := Task{Kind: kind, Spec: ssdrnb.UMAP().Spec(), Data: d, Name: "x", Methods: []ssdrnb.Spec{ssdrnb.UMAP().Spec()}, Lift: Lift{Dims: 2, Seed: 1}, Base: image.NewGray(image.Rect(0, 0, 3, 1))}
			if _, err := task.Open(t.Context(), &memory{}, nil); err == nil || !strings.Contains(err.Error(), "dense features") {
				t.Errorf("%s of %s: %v", kind, name, err)
			}
		}
		if err := set.Apply(d).Err(); !errors.Is(err, ErrStore) || !strings.Contains(err.Error(), "other data") {
			t.Errorf("drawings applied to %s: %v", name, err)
		}
	}
	free := ConstraintSet{Labels: map[int]int{0: 1}}
	if got := free.Apply(sparseData(t)); got.Err() != nil || got.Labels[0] != 1 {
		t.Errorf("labels of any data: %v, %v", got.Labels, got.Err())
	}
}

// Stored and imported labels keep the names of their classes if the code names other classes.
func TestLabelsKeepTheirNames(t *testing.T) {
	for _, task := range classTasks(t) {
		s := &memory{}
		w := task.opened(t, s, "cat", "dog", "fox")
		for i, k := range []int{0, 1, 0} {
			mark(t, w, i, k)
		}
		want := []string{"cat", "dog", "cat"}
		for _, classes := range [][]string{{"cat", "dog", "fox"}, {"bird", "cat", "dog"}, {"dog", "cat"}, {"dog", "cow"}, {"bird", "cow", "hen", "cat"}} {
			again := task.opened(t, &memory{s.content}, classes...)
			if got := marked(again); !slices.Equal(got, want) {
				t.Errorf("%s with %q: %q, want %q", task.Kind, classes, got, want)
			}
			fresh := task.opened(t, &memory{}, classes...)
			_, err := fresh.Event("import", json.RawMessage(strconv.Quote(string(s.content))))
			missing := !slices.Contains(classes, "cat") || !slices.Contains(classes, "dog")
			if missing && task.Kind != KindLabeler { // only a labeler adds classes while it runs
				if err == nil || !strings.Contains(err.Error(), `"cat"`) && !strings.Contains(err.Error(), `"dog"`) {
					t.Errorf("%s with %q imports unknown classes: %v", task.Kind, classes, err)
				}
			} else if got := marked(fresh); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s with %q imports %q, %v, want %q", task.Kind, classes, got, err, want)
			}
		}
	}
}

// spreadOver returns twelve samples with the given labels in turn.
func spreadOver(classes ...int) *data.Data {
	x, labels := mat.NewDense(12, 2, nil), make([]int, 12)
	for i := range labels {
		x.SetRow(i, []float64{float64(i), float64(i * i % 5)})
		labels[i] = classes[i%len(classes)]
	}
	return data.New(x, labels)
}

// If labels have gaps, no error suggests to name as many classes as a widget does not allow.
func TestLabelsWithGaps(t *testing.T) {
	for _, task := range classTasks(t) {
		for _, top := range []int{19, 20, 99, 100, 200, data.MaxLabel} {
			task.Data, task.Base = spreadOver(0, top), image.NewGray(image.Rect(0, 0, 4, 3))
			_, err := task.Open(t.Context(), &memory{}, nil)
			most := mostClasses
			if task.Kind == KindScribble || task.Kind == KindPaint {
				most = maxClasses
			}
			if top < most && err != nil || top >= most && (err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("; number up to %d classes from 0 without gaps", most))) {
				t.Errorf("%s of class %d: %v", task.Kind, top, err)
			}
			// Gaps between classes with names do not matter.
			if top == data.MaxLabel || task.Kind == KindPaint {
				continue
			}
			named := *task.Data
			for k := range top + 1 {
				named.ClassNames = append(named.ClassNames, fmt.Sprint("name ", k))
			}
			task.Data = &named
			task.opened(t, &memory{}, "name 0", fmt.Sprint("name ", top))
		}
	}
}

// Names given later replace the numbers of classes.
func TestNamesReplaceNumbers(t *testing.T) {
	for _, task := range classTasks(t) {
		d := *task.Data
		d.ClassNames, d.Truth = nil, nil
		task.Data = &d
		s := &memory{}
		w := task.opened(t, s, "class 0", "class 1", "class 2")
		mark(t, w, 0, 1)
		if got := marked(task.opened(t, s, "cat", "dog", "fox")); !slices.Equal(got, []string{"dog"}) {
			t.Errorf("%s: %q", task.Kind, got)
		}
	}
}

// Apply matches classes by name, as does a widget whose data have labels.
func TestApplyMatchesNames(t *testing.T) {
	d := *datasets.Iris().Subset([]int{0, 1, 2, 50, 51, 52, 100, 101, 102}).HideLabels()
	for _, names := range [][]string{nil, {"cat", "dog", "owl"}, {"dog", "cat", "owl"}, {"bird", "cow", "hen"}} {
		d.ClassNames = names
		set := ConstraintSet{Labels: map[int]int{0: 0, 1: 1, 2: data.Unlabelled}, Classes: []string{"dog", "bird", "cat"}}
		got := set.Apply(&d)
		if got.Err() != nil || got.ClassName(got.Labels[0]) != "dog" || got.ClassName(got.Labels[1]) != "bird" || got.Labels[2] != data.Unlabelled || !slices.Equal(got.ClassNames[:len(names)], names) {
			t.Errorf("on %q: %v, %v of %q", names, got.Err(), got.Labels, got.ClassNames)
		}
	}
	known := datasets.Iris().Subset([]int{0, 1, 50, 51, 100, 101})
	e, err := editorOf(shelf{}, ssdrnb.PCA(), known).Classes("new", "virginica", "setosa", "versicolor").open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range e.set.mergedLabels(e.data) {
		if got, want := e.set.Classes[l], known.ClassName(known.Labels[i]); got != want || e.data.ClassName(e.data.Truth[i]) != want {
			t.Errorf("sample %d is shown as %s, want %s", i, got, want)
		}
	}
}
