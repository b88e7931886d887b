package interact

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func labelerOf(s shelf, d *data.Data) rig[*Labeler] {
	return rig[*Labeler]{Task{Kind: KindLabeler, Data: d, Name: "labels"}, s}
}

// did sends an event and runs all parts of the resulting work.
func (e *Labeler) did(t *testing.T, kind string, body any) Outcome {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Event(kind, raw)
	if err != nil {
		t.Fatalf("%s %s: %v", kind, raw, err)
	}
	for k := 0; out.Work && e.Pending(); k++ {
		if k > 3 {
			t.Fatal("the work has no end")
		}
		apply := e.Work()(context.Background())
		if apply == nil {
			t.Fatalf("%s: no result", kind)
		}
		apply()
		if e.failure != "" {
			t.Fatalf("%s: %s", kind, e.failure)
		}
	}
	return out
}

// shown returns the state as a page reads it.
func (e *Labeler) shown(t *testing.T) (s struct {
	Of       []int
	Ringed   string
	Sure     string
	Names    []string
	Next     []guess
	Doubtful []guess
	Wrong    []disagreement
	Checked  string
	Disputes [][3]int
	Curve    []point
	Labels   int
	Status   string
	Revision int
}) {
	t.Helper()
	raw, err := json.Marshal(e.State())
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type label struct {
	Rows  []int
	Class int
}

// A reader starts with neither labels nor classes, creates classes while labelling, and follows the
// suggestions; each label updates the page. Everything is stored and can be undone.
func TestLabeler(t *testing.T) {
	iris, shelf := datasets.Iris(), shelf{}
	d := iris.HideLabels()
	d.ClassNames = nil
	e, err := labelerOf(shelf, d).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := e.shown(t)
	if len(s.Names) != 1 || s.Labels != 0 || len(s.Next) != nextInQueue || len(s.Doubtful) != 0 || s.Revision != 1 {
		t.Fatalf("at the start: %+v", s)
	}
	for _, g := range s.Next {
		if g.Class != -1 {
			t.Errorf("sample %d is proposed as %d before there are labels", g.Row, g.Class)
		}
	}
	for range 12 {
		s = e.shown(t)
		row := s.Next[0].Row
		name := iris.ClassName(iris.Truth[row])
		if k := slices.Index(s.Names, name); k > 0 {
			e.did(t, "label", label{[]int{row}, k - 1})
		} else {
			e.did(t, "class", map[string]any{"Name": " " + name + " ", "Rows": []int{row}})
		}
		if s = e.shown(t); s.Labels == 1 && (len(s.Curve) > 0 || strings.Contains(s.Status, "expected") || !strings.Contains(s.Status, "one class")) {
			t.Errorf("with labels of one class the page shows %q and %v", s.Status, s.Curve)
		}
	}
	s = e.shown(t)
	if len(s.Names) != 4 || s.Labels != 12 || s.Revision != 13 {
		t.Fatalf("after twelve labels: %d, classes %q, picture %d", s.Labels, s.Names, s.Revision)
	}
	right := 0
	for i, k := range s.Of {
		if k > 0 && s.Names[k] == iris.ClassName(iris.Truth[i]) {
			right++
		}
	}
	if right < 135 {
		t.Errorf("%d of 150 proposals are right after twelve suggested labels", right)
	}
	if last := s.Curve[len(s.Curve)-1]; last[0] != 12 || last[1] < 500 || last[1] > 1000 {
		t.Errorf("the curve ends at %v", last)
	}
	for _, g := range append(s.Next, s.Doubtful...) {
		if s.Ringed[g.Row] == '1' {
			t.Errorf("the labelled sample %d is in a queue", g.Row)
		}
	}
	stored, err := ParseLabels(shelf["labels"].content, "labels")
	if err != nil || stored.Len() != 12 || len(stored.Classes()) != 3 {
		t.Fatalf("stored: %v, %v", stored, err)
	}
	applied := stored.Apply(d)
	if err := applied.Err(); err != nil || applied.NumLabelled() != 12 || applied.ClassName(0) != stored.Classes()[0] {
		t.Errorf("applied: %d labels, %v", applied.NumLabelled(), err)
	}
	e.did(t, "undo", nil)
	if s = e.shown(t); s.Labels != 11 {
		t.Errorf("%d labels after an undo of one of twelve", s.Labels)
	}
	for range 11 {
		e.did(t, "undo", nil)
	}
	if s = e.shown(t); s.Labels != 0 || len(s.Names) != 1 || len(s.Curve) != 0 || strings.Trim(s.Sure, "0") != "" {
		t.Errorf("all is undone, and there are %d labels, classes %q, curve %v", s.Labels, s.Names, s.Curve)
	}
}

// Wrong labels appear in the queue with the labels that contradict them. Keeping one removes it
// from the queue, for this label only, and persists after the page is closed.
func TestLabelerDoubtsLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	digits := datasets.Digits().Take(60)
	given := digits.KeepLabels(10)
	labels := slices.Clone(given.Labels)
	var wrong []int
	for i, l := range given.Labels {
		if l == 2*len(wrong) { // one of every second class
			labels[i] = (l + 1) % 10
			wrong = append(wrong, i)
		}
	}
	d, shelf := given.WithLabels(labels), shelf{}
	e, err := labelerOf(shelf, d).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := func() (rows []int) {
		for _, w := range e.shown(t).Wrong {
			rows = append(rows, w.Row)
		}
		return rows
	}
	for _, i := range wrong {
		if !slices.Contains(found(), i) {
			t.Errorf("the wrong label of sample %d is not in the queue %v", i, found())
		}
	}
	first := e.shown(t).Wrong[0]
	if len(first.Because) == 0 || slices.Contains(first.Because, first.Row) {
		t.Errorf("sample %d is outvoted by %v", first.Row, first.Because)
	}
	e.did(t, "keep", first.Row)
	if slices.Contains(found(), first.Row) {
		t.Error("the label that was kept is in the queue")
	}
	e.Close()
	again, err := labelerOf(shelf, d).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e = again
	if slices.Contains(found(), first.Row) {
		t.Error("the label that was kept is in the queue of the next page")
	}
	e.did(t, "label", label{[]int{first.Row}, (first.Label + 3) % 10})
	if len(e.Labels().Kept()) != 0 {
		t.Errorf("another label is kept: %v", e.Labels().Kept())
	}
}

// Three wrong labels side by side support each other. They appear in the queue with the size of
// their group and the labels that contradict it; a kept label leaves the queue.
func TestLabelerDoubtsGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 44))
	const n = 150
	x, labels := mat.NewDense(2*n, 2, nil), slices.Repeat([]int{data.Unlabelled}, 2*n)
	for i := range 2 * n {
		x.SetRow(i, []float64{float64(i/n)*30 + rng.NormFloat64(), rng.NormFloat64()})
		if i >= 2*n-15 { // a knot at the edge of the second cloud
			x.SetRow(i, []float64{30 + 0.3*rng.NormFloat64(), 3 + 0.3*rng.NormFloat64()})
		}
	}
	for k := range 8 {
		labels[10*k], labels[n+10*k] = 0, 1
	}
	together := []int{2*n - 3, 2*n - 2, 2*n - 1}
	for _, i := range together {
		labels[i] = 0
	}
	e, err := labelerOf(shelf{}, data.New(x, labels)).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var rows []int
	for _, w := range e.shown(t).Wrong {
		if w.Group != 3 || w.Label != 0 || w.Proposed != 1 || len(w.Because) == 0 || labels[w.Because[0]] != 1 {
			t.Errorf("in the queue: %+v", w)
		}
		rows = append(rows, w.Row)
	}
	if slices.Sort(rows); !slices.Equal(rows, together) {
		t.Fatalf("the queue has %v, want %v", rows, together)
	}
	e.did(t, "keep", together[1])
	if left := e.shown(t).Wrong; len(left) != 2 || left[0].Row == together[1] || left[1].Row == together[1] {
		t.Errorf("one of the group is kept, and the queue has %+v", left)
	}
}

// Hidden labels are not read: other hidden labels give the same states.
func TestLabelerIgnoresTruth(t *testing.T) {
	states := func(d *data.Data) (out []any) {
		e, err := labelerOf(shelf{}, d).Classes("a", "b").open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.Setup(), e.State())
		e.did(t, "label", label{[]int{0}, 0})
		e.did(t, "label", label{[]int{100}, 1})
		return append(out, e.State(), e.view(7))
	}
	d := datasets.Iris().HideLabels()
	other := *d
	other.Truth = slices.Clone(d.Truth)
	slices.Reverse(other.Truth)
	none := *d
	none.Truth = nil
	want := states(d)
	for name, d := range map[string]*data.Data{"reversed": &other, "none": &none} {
		if got := states(d); !reflect.DeepEqual(got, want) {
			t.Errorf("hidden labels, %s, change the states", name)
		}
	}
}

// Labels of two annotators are merged by class name. If they differ, the reader's label stays and
// the sample is disputed until it is labelled or kept.
func TestLabelerMerges(t *testing.T) {
	d := datasets.Iris().HideLabels()
	d.ClassNames = nil
	mine, theirs := shelf{}, shelf{}
	a, err := labelerOf(mine, d).Classes("x", "y").open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := labelerOf(theirs, d).Classes("y", "x", "z").open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a.did(t, "label", label{[]int{0, 1, 2}, 0})     // x
	b.did(t, "label", label{[]int{1, 60, 61}, 1})   // x
	b.did(t, "label", label{[]int{2, 100, 101}, 2}) // z
	before := a.Labels()
	out := a.did(t, "merge", string(theirs["labels"].content))
	if s, _ := out.Reply.(string); !strings.Contains(s, "4 labels added") || !strings.Contains(s, "1 sample is") {
		t.Errorf("the reply is %q", out.Reply)
	}
	merged, err := before.Merge(b.Labels())
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]LabelSet{"page": a.Labels(), "Go": merged} {
		want := map[int]int{0: 0, 1: 0, 2: 0, 60: 0, 61: 0, 100: 2, 101: 2}
		if !reflect.DeepEqual(l.Labels(), want) || !slices.Equal(l.Classes(), []string{"x", "y", "z"}) {
			t.Errorf("%s: %v of %q", name, l.Labels(), l.Classes())
		}
		if got := l.Disputes(); !slices.Equal(got, []Dispute{{2, "x", "z"}}) {
			t.Errorf("%s: disputes %v", name, got)
		}
	}
	stored, err := ParseLabels(mine["labels"].content, "labels")
	if err != nil || len(stored.Disputes()) != 1 {
		t.Errorf("stored: %v, %v", stored.Disputes(), err)
	}
	a.did(t, "keep", 2)
	if got := a.shown(t).Disputes; len(got) != 0 {
		t.Errorf("after it was kept: %v", got)
	}
	wine, err := labelerOf(shelf{}, datasets.Wine().HideLabels()).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := merged.Merge(wine.Labels()); err == nil {
		t.Error("labels of other data are merged")
	}
	if _, err := wine.Event("merge", json.RawMessage(fmt.Sprintf("%q", theirs["labels"].content))); err == nil {
		t.Error("a page merges labels of other data")
	}
}

// Exported labels can be read by other programs: names with commas, quotes and line breaks stay
// whole.
func TestLabelsAsText(t *testing.T) {
	set := ConstraintSet{name: "x", n: 9, Classes: []string{`a,"b"`, "ü"}, Labels: map[int]int{3: 1, 1: 0, 2: data.Unlabelled}}
	l := LabelSet{set}
	if got, want := l.CSV(), "row,label,class\n1,\"a,\"\"b\"\"\",0\n2,,-1\n3,ü,1\n"; got != want {
		t.Errorf("CSV: %q", got)
	}
	if got, want := l.JSONLines(), `{"row":1,"label":"a,\"b\"","class":0}`+"\n"+`{"row":2,"label":"","class":-1}`+"\n"+`{"row":3,"label":"ü","class":1}`+"\n"; got != want {
		t.Errorf("JSON lines: %q", got)
	}
	if got := l.String(); got != `x: 2 of 9 samples labelled (a,"b" 1, ü 1, removed 1)` {
		t.Errorf("%q", got)
	}
}

// The stored curve ends with the estimate for the last label. Opening stores nothing new.
func TestLabelerStoresItsCurve(t *testing.T) {
	shelf := shelf{}
	d := datasets.Iris().HideLabels()
	e, err := labelerOf(shelf, d).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		e.did(t, "label", label{[]int{50*(i%2) + i}, i % 2})
		l, err := ParseLabels(shelf["labels"].content, "labels")
		if err != nil {
			t.Fatal(err)
		}
		counts, accuracy := l.Curve()
		if shown, values := e.Labels().Curve(); !slices.Equal(counts, shown) || !slices.Equal(accuracy, values) || i > 0 && (len(counts) == 0 || counts[len(counts)-1] != i+1) {
			t.Errorf("after %d labels the stored curve has %v, the page %v", i+1, counts, shown)
		}
		if l.set.revision != i+1 {
			t.Errorf("revision %d after %d labels", l.set.revision, i+1)
		}
	}
	before := string(shelf["labels"].content)
	if _, err := labelerOf(shelf, d).open(t.Context()); err != nil || string(shelf["labels"].content) != before {
		t.Errorf("opening changes the store: %v", err)
	}
	known := shelf.of("known")
	if _, err := labelerOf(shelf, datasets.Iris().KeepLabels(5).Seed(1)).Name("known").open(t.Context()); err != nil || known.content != nil {
		t.Errorf("opening stores %s, %v", known.content, err)
	}
}

// The exported file contains all labels, without a store that the page reads.
func TestLabelerExports(t *testing.T) {
	e, err := labelerOf(shelf{}, datasets.Iris().HideLabels()).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for count, rows := range [][]int{nil, {3}, {60, 61}} {
		if rows != nil {
			e.did(t, "label", label{rows, count})
		}
		out := e.did(t, "export", "json")
		file := out.Reply.(map[string]any)
		raw, err := base64.StdEncoding.DecodeString(file["content"].(string))
		if err != nil {
			t.Fatal(err)
		}
		if l, err := ParseLabels(raw, "labels"); err != nil || file["name"] != "labels.json" || !reflect.DeepEqual(l.Labels(), e.Labels().Labels()) || !slices.Equal(l.Classes(), e.Labels().Classes()) {
			t.Errorf("%s: %v, %v", file["name"], l, err)
		}
	}
}

// A sample is shown as its image, its attributes, or its features.
func TestLabelerView(t *testing.T) {
	open := func(d *data.Data) *Labeler {
		e, err := labelerOf(shelf{}, d).open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if v := open(datasets.Digits().Take(6).HideLabels()).view(3); v.Width != 8 || v.Height != 8 || len(v.Pixels) != 88 || len(v.Lines) != 0 {
		t.Errorf("a digit: %+v", v)
	}
	wine := datasets.Wine().HideLabels()
	if v := open(wine).view(3); v.Pixels != "" || len(v.Lines) != 13 || v.Lines[0][0] != wine.FeatureNames[0] || v.More != 0 {
		t.Errorf("a wine: %+v", v)
	}
	for name, d := range map[string]*data.Data{"raw": wine, "standardised": wine.Standardize()} {
		for k, l := range open(d).view(3).Lines {
			if want := fmt.Sprint(wine.X.At(3, k)); l[1] != want {
				t.Errorf("%s: %s is %s, want %s", name, l[0], l[1], want)
			}
		}
	}
	text := make([]string, wine.Len())
	text[3] = strings.Repeat("<b>", 3000)
	if v := open(wine.WithAttribute("text", text)).view(3); len(v.Lines) != 1 || len([]rune(v.Lines[0][1])) != mostCharacter+1 {
		t.Errorf("a text: %d lines", len(v.Lines))
	}
}

// A row of a table with mixed columns is shown as in the file, in its order, without gaps; if there
// are too many columns, the rest is counted.
func TestLabelerViewOfTables(t *testing.T) {
	open := func(d *data.Data) *Labeler {
		e, err := labelerOf(shelf{}, d).open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	table := datasets.Penguins()
	d := datasets.Must(table.Data(datasets.Label("Species"), datasets.Without("Sample Number"))).HideLabels()
	e := open(d)
	for _, row := range []int{0, 7, d.Len() - 1} {
		v := e.view(row)
		lines := map[string]string{}
		for _, l := range v.Lines {
			lines[l[0]] = l[1]
			if l[1] == "" || l[0] == "Species" {
				t.Errorf("row %d shows %q", row, l)
			}
		}
		if v.Pixels != "" || v.More != 0 || len(v.Lines) < 8 {
			t.Errorf("row %d: %+v", row, v)
		}
		for _, name := range []string{"Island", "Sex", "Body Mass (g)", "Date Egg"} {
			j, err := table.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			if want := table.Text(row, j); lines[name] != want && !table.Gap(row, j) {
				t.Errorf("row %d: %s is %q, want %q", row, name, lines[name], want)
			}
		}
	}
	wine := datasets.Wine().HideLabels()
	for k := range mostRows + 3 {
		wine = wine.WithAttribute(fmt.Sprint("column ", k), slices.Repeat([]string{"x"}, wine.Len()))
	}
	if v := open(wine).view(1); len(v.Lines) != mostRows || v.More != 3 {
		t.Errorf("%d lines and %d more", len(v.Lines), v.More)
	}
}

// A page shows the same values of a sample as the cell: those before the scaling, unless it combines
// features.
func TestLabelerViewInPage(t *testing.T) {
	wine := datasets.Wine().HideLabels()
	taskOf := func(d *data.Data) Task { return Task{Kind: KindLabeler, Spec: ssdrnb.S2NE().Spec(), Data: d} }
	for name, d := range map[string]*data.Data{"as given": wine, "standardized": wine.Standardize(), "from 0 to 1": wine.Scale01(), "both": wine.Standardize().Scale01(), "components": wine.PCA(3)} {
		raw, err := json.Marshal(taskOf(d))
		if err != nil {
			t.Fatal(err)
		}
		var page Task
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cell := &Labeler{data: d}
		for i := range d.Len() {
			got, want := (&Labeler{data: page.Data}).view(i), cell.view(i)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: the page shows %v, the cell %v", name, got.Lines, want.Lines)
			}
			if original := (&Labeler{data: wine}).view(i); name != "components" && !reflect.DeepEqual(got, original) {
				t.Fatalf("%s: %v instead of %v", name, got.Lines, original.Lines)
			}
		}
	}
	raw, err := json.Marshal(taskOf(wine.Standardize()))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{`"scaling0_shift"`, `"scaling9_shift"`}, {`"scaled":["`, `"scaled":["x","`}, {`"scaling0_scale":"`, `"scaling0_scale":"A`}} {
		text := strings.Replace(string(raw), change[0], change[1], 1)
		if text == string(raw) {
			t.Errorf("%s is not in the task", change[0])
		}
		if json.Unmarshal([]byte(text), new(Task)) == nil {
			t.Errorf("%s instead of %s is accepted", change[1], change[0])
		}
	}
}

// Out-of-range messages and stores are refused and leave the labels unchanged.
func TestLabelerOutOfBounds(t *testing.T) {
	e, err := labelerOf(shelf{}, datasets.Iris().HideLabels()).Classes("a", "b").open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e.did(t, "label", label{[]int{5}, 1})
	before := e.Labels()
	long := strings.Repeat("x", maxClassName+1)
	for _, m := range [][2]string{
		{"label", `{"Rows":[150],"Class":0}`}, {"label", `{"Rows":[-1],"Class":0}`}, {"label", `{"Rows":[],"Class":0}`},
		{"label", `{"Rows":[1],"Class":2}`}, {"label", `{"Rows":[1],"Class":-2}`}, {"label", `{"Rows":[1e300],"Class":0}`}, {"label", `{"Rows":[1],"Class":0,"x":1}`},
		{"class", `{"Name":""}`}, {"class", `{"Name":"a"}`}, {"class", `{"Name":"` + long + `"}`}, {"class", `{"Name":"a\u0000b"}`},
		{"class", `{"Name":"c","Rows":[150]}`}, {"class", `"c"`}, {"class", `null x`},
		{"keep", `150`}, {"keep", `-1`}, {"keep", `0`}, {"keep", `"5"`}, {"keep", `1e300`},
		{"look", `150`}, {"look", `{"a":1}`}, {"look", strings.Repeat("[", 9000)},
		{"merge", `"{}"`}, {"merge", `1`}, {"import", `"null"`}, {"import", `"{\"format\":1}"`},
		{"export", `"exe"`}, {"export", `1`}, {"pair", `{"I":0,"J":1}`}, {"nothing", `1`},
	} {
		if out, err := e.Event(m[0], json.RawMessage(m[1])); err == nil {
			t.Errorf("%s %.60s is accepted: %v", m[0], m[1], out)
		}
	}
	if got := e.Labels(); !reflect.DeepEqual(got.Labels(), before.Labels()) || !slices.Equal(got.Classes(), before.Classes()) {
		t.Errorf("the labels are %v", got)
	}
	for _, part := range []string{
		`"kept":{"3":-1}`, `"kept":{"150":0}`, `"kept":{"x":0}`, `"disputes":{"3":2}`, `"disputes":{"-1":0}`,
		`"curve":[[0,5]]`, `"curve":[[5,1001]]`, `"curve":[[5,900],[5,901]]`, `"curve":[[151,900]]`, `"curve":"x"`, `"labels":{"3":99999999999}`,
	} {
		raw := fmt.Sprintf(`{"format":1,"samples":150,"labels":{},"classes":["a","b"],%s}`, part)
		if strings.HasPrefix(part, `"labels"`) {
			raw = fmt.Sprintf(`{"format":1,"samples":150,"classes":["a","b"],%s}`, part)
		}
		if l, err := ParseLabels([]byte(raw), "x"); err == nil {
			t.Errorf("%s is read: %v", part, l)
		}
	}
}

// If there are more classes than colours, classes have symbols too, so that no two look alike; with
// fewer classes they do not.
func TestClassesLookDifferent(t *testing.T) {
	d := datasets.Iris().HideLabels()
	for _, count := range []int{2, 10, 11, 40} {
		var names []string
		for k := range count {
			names = append(names, fmt.Sprint("class ", k))
		}
		l, err := labelerOf(shelf{}, d).Classes(names...).open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		e, err := editorOf(shelf{}, ssdrnb.SSDR(), d).Classes(names...).open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for kind, setup := range map[string]any{"labeler": l.Setup(), "editor": e.Setup()} {
			s := setup.(map[string]any)
			colors, symbols, seen := s["colors"].([]string), s["symbols"].([]string), map[string]bool{}
			for k, c := range colors {
				if len(symbols) > 0 {
					c += symbols[k]
				}
				seen[c] = true
			}
			if len(seen) != count+1 && kind == "labeler" || len(symbols) > 0 != (count > 10) {
				t.Errorf("%s of %d classes: %d looks, %d symbols", kind, count, len(seen), len(symbols))
			}
		}
	}
}
