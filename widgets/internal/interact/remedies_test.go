package interact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Following the advice of each error, in the code of the cell or in the page, works.
func TestRemedies(t *testing.T) {
	ctx := context.Background()
	iris := datasets.Iris().Subset([]int{0, 1, 2, 3, 50, 51, 52, 53, 100, 101, 102, 103}).KeepLabels(2).Seed(1)
	iris.ClassNames = nil
	named := *iris
	named.ClassNames = datasets.Iris().ClassNames
	names := func(n int) []string {
		out := make([]string, n)
		for k := range out {
			out[k] = fmt.Sprint("class ", k)
		}
		return out
	}
	pca := ssdrnb.PCA()
	is := func(_ any, err error) error { return err }
	edit := func(s shelf, name string, classes ...string) error {
		return is(editorOf(s, pca, iris).Name(name).Classes(classes...).open(ctx))
	}
	editNamed := func(classes ...string) error { return is(editorOf(shelf{}, pca, &named).Classes(classes...).open(ctx)) }
	crowd := data.New(mat.NewDense(120, 2, nil), make([]int, 120))
	for i := range 120 {
		crowd.X.Set(i, 0, float64(i))
		crowd.X.Set(i, 1, float64(i*i%7))
		crowd.Labels[i], crowd.Truth[i] = i, i
		crowd.ClassNames = append(crowd.ClassNames, fmt.Sprint("name ", i))
	}
	editMany := func(d *data.Data) error { return is(editorOf(shelf{}, pca, d).open(ctx)) }
	editLabels := func(classes ...int) error { return is(editorOf(shelf{}, pca, spreadOver(classes...)).open(ctx)) }
	paint := func(d *data.Data, classes ...string) error {
		return is(paintOf(shelf{}, d, pca).Classes(classes...).open(ctx))
	}
	flat := func(n int) *data.Data { return data.New(mat.NewDense(n, 2, nil), nil) }
	two := iris.PCA(2)
	event := func(w Widget, kind, body string) error { return is(w.Event(kind, json.RawMessage(body))) }
	painter := func(d *data.Data, classes ...string) *Painter {
		p, err := paintOf(shelf{}, d, pca).Classes(classes...).open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	full := painter(flat(maxSpots))
	erased := painter(flat(maxSpots - 1))
	wide, narrow := painter(flat(3), names(5)...), painter(flat(3), "a")
	if err := event(wide, "paint", `{"Points":[[0,0]],"Class":1}`); err != nil {
		t.Fatal(err)
	}
	exported, err := json.Marshal(wide.painting)
	if err != nil {
		t.Fatal(err)
	}
	imports := func(p *Painter) error {
		raw, err := json.Marshal(string(exported))
		if err != nil {
			return err
		}
		return event(p, "import", string(raw))
	}

	// Stores with constraints of other data, with too many classes, and damaged ones.
	s := shelf{}
	other, err := editorOf(s, pca, datasets.Wine()).Name("wine").open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := event(other, "label", `{"Rows":[0],"Class":1}`); err != nil {
		t.Fatal(err)
	}
	first, err := editorOf(s, pca, iris).Name("classes").Classes(names(5)...).open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := event(first, "label", `{"Rows":[0],"Class":4}`); err != nil {
		t.Fatal(err)
	}
	unnamed := strings.Replace(string(s["classes"].content), `"class 3","class 4"`, `"class 3"`, 1)
	s.of("unnamed").content = []byte(unnamed)
	s.of("damaged").content = []byte("{")
	s.of("sample 999").content = []byte(strings.Replace(string(s["classes"].content), `"0":4`, `"999":4`, 1))
	apply := func(name string, d *data.Data) error { return s.constraints(name).Apply(d).Err() }
	resume := func(content, name string) error {
		m := shelf{"painting": &memory{[]byte(content)}}
		return is(paintOf(m, flat(3), pca).Name(name).open(ctx))
	}

	editor := func() *Editor {
		e, err := editorOf(shelf{}, pca, iris).open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	crowded := editor()
	crowded.set.Pairs.Must = slices.Repeat([]data.Pair{{I: 0, J: 1}}, maxPairs)
	labelled := func(only bool) error {
		return event(editor(), "label", fmt.Sprintf(`{"Rows":[%d],"Class":0,"Unlabelled":%v}`, slices.IndexFunc(iris.Labels, func(l int) bool { return l >= 0 }), only))
	}
	explore := func(from, to float64) error {
		r := explorerOf(shelf{}, ssdrnb.LPP(), iris)
		r.task.Ranges = map[string]Span{"width": {from, to}}
		return is(r.open(ctx))
	}
	play := func(n int) error {
		task := Task{Kind: KindPlayground, Data: iris, Name: "play", Methods: slices.Repeat([]ssdrnb.Spec{pca.Spec()}, n)}
		return is(task.Open(ctx, &memory{}, nil))
	}
	base := image.NewGray(image.Rect(0, 0, 4, 3))
	scribble := func(img image.Image, n int) error {
		return is(scribbleOf(shelf{}, pca, iris.HideLabels(), img).Classes(names(n)...).open(ctx))
	}
	sweep := func(b ssdrnb.SweepBuilder) error {
		r, err := b.Run(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return is(sweepOf(shelf{}, r, iris).open(ctx))
	}
	lpp := ssdrnb.Sweep(ssdrnb.LPP().Dims(1), iris)
	lift := func(dims int, noise float64, seed int) error {
		return event(painter(flat(3)), "lift", fmt.Sprintf(`{"dims":%d,"noise":%g,"seed":%d}`, dims, noise, seed))
	}
	painted := func(change func(p *painting)) error {
		p := wide.painting
		change(&p)
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		_, err = parsePainting(raw)
		return err
	}
	// partly opens an editor with other classes before those of the data, and applies its set.
	partly := func(classes ...string) error {
		d := ssdrnb.NewData(iris.X, iris.Truth)
		d.ClassNames = classes
		set := ConstraintSet{name: "x", Classes: []string{"x", "a", "b", "c"}}
		opened, applied := is(editorOf(shelf{}, pca, d).Name("named").Classes("x", "a", "b", "c").open(ctx)), set.Apply(d).Err()
		if (opened == nil) != (applied == nil) {
			return fmt.Errorf("open: %w, Apply: %w", opened, applied)
		}
		return opened
	}
	labeler := func(classes ...string) *Labeler {
		e, err := labelerOf(shelf{}, iris).Classes(classes...).open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	three := labeler(names(3)...)
	class := func(name string) error { return event(three, "class", fmt.Sprintf(`{"Name":%q}`, name)) }
	merge := func(classes ...string) error {
		other := labeler(classes...)
		free := slices.Index(iris.Labels, data.Unlabelled)
		if err := event(other, "label", fmt.Sprintf(`{"Rows":[%d],"Class":0}`, free)); err != nil {
			return err
		}
		return is(labeler(names(100)...).Labels().Merge(other.Labels()))
	}
	// importsOf gives an editor the stored constraints of an editor of d.
	importsOf := func(d *data.Data) error {
		from, err := editorOf(shelf{}, pca, d).open(ctx)
		if err != nil {
			return err
		}
		content, err := from.set.encode()
		if err != nil {
			return err
		}
		to, err := editorOf(shelf{}, pca, iris).open(ctx)
		if err != nil {
			return err
		}
		text, err := json.Marshal(string(content))
		return errors.Join(err, event(to, "import", string(text)))
	}
	labelsOf := func(d *data.Data) LabelSet {
		l, err := labelerOf(shelf{}, d).Classes(names(3)...).open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return l.Labels()
	}
	question := func(a Ask) error { return a.Check() }
	infinite, finite := math.Inf(1), 3.9
	advicetest.Everywhere(t, []string{"."}, map[string]string{
		"; about %.0f %% of the proposals for the other samples are expected to be right":    "states what the labels tell",
		"%s added; %s %s disputed: see Disputed":                                             "states what was done",
		"; %d disputed":                                                                      "counts",
		"; Undo brings them back":                                                            "states what was done; undoing is tested beside painting",
		"the next spot number is %d, which is out of range":                                  "a part of the error of a damaged painting",
		"the %s label of sample %d is %d, out of range; there are %d samples and %d classes": "a part of the error of damaged constraints",
	}, []advicetest.Case{
		{"scribbles on no image", scribble(nil, 2), "give the image of these samples", func() error { return scribble(base, 2) }},
		{"a long question", question(Ask{Question: strings.Repeat("x", 4001), Kind: AskPoint}), "at most 4000 bytes", func() error { return question(Ask{Question: strings.Repeat("x", 4000), Kind: AskPoint}) }},
		{"an infinite range", question(Ask{Kind: AskNumber, To: math.Inf(1)}), "give finite numbers", func() error { return question(Ask{Kind: AskNumber, To: 9}) }},
		{"an infinite answer", question(Ask{Kind: AskNumber, To: 9, Answer: &infinite}), "give a finite number", func() error { return question(Ask{Kind: AskNumber, To: 9, Answer: &finite}) }},
		{"one option", question(Ask{Kind: AskChoice, Options: names(1)}), "give two or more", func() error { return question(Ask{Kind: AskChoice, Options: names(2)}) }},
		{"option 2 of two", question(Ask{Kind: AskChoice, Options: names(2), Right: 2}), "or -1 for none", func() error { return question(Ask{Kind: AskChoice, Options: names(2), Right: -1}) }},
		{"an answer that no reader can give", question(Ask{Kind: AskNumber, To: 3, Answer: &finite}), "give an answer in this range, or another range", func() error {
			return errors.Join(question(Ask{Kind: AskNumber, To: finite, Answer: &finite}), question(Ask{Kind: AskNumber, From: finite, To: 9, Answer: &finite}))
		}},
		{"a range without length", question(Ask{Kind: AskNumber}), "give from < to", func() error { return question(Ask{Kind: AskNumber, To: 1}) }},
		{"a drawing back and forth", question(Ask{Kind: AskDrawing, To: 1, At: []float64{2, 1}}), "give the places in ascending order", func() error { return question(Ask{Kind: AskDrawing, To: 1, At: []float64{1, 2}}) }},
		{"a drawing at one place", question(Ask{Kind: AskDrawing, To: 1, At: []float64{1}}), "give two places or more", func() error { return question(Ask{Kind: AskDrawing, To: 1, At: []float64{1, 2}}) }},
		{"a place at 2", question(Ask{Kind: AskPoint, Where: [][3]float64{{2, 0, 0}}}), "as shares from 0 to 1", func() error { return question(Ask{Kind: AskPoint, Where: [][3]float64{{1, 0, 0}}}) }},
		{"no kind of answer", question(Ask{}), "call Choice, Number, Point or Drawing", func() error { return question(Ask{Kind: AskPoint}) }},
		{"101 classes of a labeler", is(labelerOf(shelf{}, iris).Classes(names(101)...).open(ctx)), "name fewer with Classes", func() error { return is(labelerOf(shelf{}, iris).Classes(names(100)...).open(ctx)) }},
		{"a new class without a name", class(" "), "type one first", func() error { return class("new") }},
		{"a new class of a long name", class(strings.Repeat("x", 61)), "use up to 60 printable characters", func() error { return class(strings.Repeat("x", 60)) }},
		{"labels of no data", three.Labels().Apply(nil).Err(), "give those that were labelled", func() error { return three.Labels().Apply(iris).Err() }},
		{"merged labels of too many classes", merge("x", "y", "z"), "merge files with the same class names", func() error { return merge(names(3)...) }},
		{"constraints of other data", apply("wine", iris), "use the same data in the same order", func() error { return apply("wine", datasets.Wine()) }},
		{"a file of other data", importsOf(datasets.Wine()), `not imported: "`, func() error { return importsOf(iris) }},
		{"a file of other data, otherwise", importsOf(datasets.Wine()), "give a file that was made with the data of this widget", func() error { return importsOf(iris) }},
		{"merged labels of other data", is(labelsOf(iris).Merge(labelsOf(two))), "merge labels of the same data in the same order", func() error { return is(labelsOf(iris).Merge(labelsOf(iris))) }},
		{"an editor of other data", edit(s, "wine"), "choose another name", func() error { return edit(s, "fresh") }},
		{"an editor of other data, otherwise", edit(s, "wine"), "or use the same data in the same order", func() error { return is(editorOf(s, pca, datasets.Wine()).Name("wine").open(ctx)) }},
		{"damaged constraints", edit(s, "damaged"), "choose another name", func() error { return edit(s, "fresh") }},
		{"a label beyond the samples", edit(s, "sample 999"), "choose another name", func() error { return edit(s, "fresh") }},
		{"a stored class without a name", edit(s, "unnamed", names(3)...), "name all with Classes", func() error { return edit(s, "unnamed", names(5)...) }},
		{"a class without a name", edit(shelf{}, "x", "a", "b"), "name all with Classes", func() error { return edit(shelf{}, "x", "a", "b", "c") }},
		{"a class 200", editLabels(0, 200), "number up to 100 classes from 0 without gaps", func() error { return editLabels(0, 1) }},
		{"labels of 120 named classes", editMany(crowd), "select classes with Data.Only", func() error { return editMany(crowd.Only(0, 1, 99)) }},
		{"labels of 120 named classes, otherwise", editMany(crowd), "or hide the labels with Data.HideLabels", func() error { return editMany(crowd.HideLabels()) }},
		{"a class of the data without a name", editNamed("setosa", "versicolor"), "name it with Classes", func() error { return editNamed("virginica", "setosa", "versicolor") }},
		{"an unnamed class beside named ones", partly("a"), "name all classes of the data", func() error { return partly("a", "b", "c") }},
		{"101 classes", edit(shelf{}, "x", names(101)...), "name fewer with Classes", func() error { return edit(shelf{}, "x", names(100)...) }},
		{"a pair too many", event(crowded, "pair", `{"I":2,"J":3}`), "remove some", func() error {
			crowded.set.Pairs.Must = crowded.set.Pairs.Must[1:]
			return event(crowded, "pair", `{"I":2,"J":3}`)
		}},
		{"labelled samples alone", labelled(true), `switch "only unlabelled" off to change them`, func() error { return labelled(false) }},
		{"an empty range", explore(2, 1), "give 0 ≤ from < to", func() error { return explore(1, 2) }},
		{"no methods", play(0), "give 1 to 100", func() error { return play(1) }},
		{"101 methods", play(101), "give 1 to 100", func() error { return play(2) }},
		{"101 labels per class", event(painter(two), "labels", "101"), "choose 0 to 100", func() error { return event(painter(two), "labels", "100") }},
		{"a painted class without a name", paint(two, "a"), "name all with Classes", func() error { return paint(two, "a", "b", "c") }},
		{"a damaged painting", resume("{", "painting"), "choose another name", func() error { return resume("{", "fresh") }},
		{"a damaged painting, read", Painted([]byte("{"), "painting").Err(), "choose another name, or paint it again under this name", func() error { return Painted(exported, "painting").Err() }},
		{"three rings on a canvas of one class", event(narrow, "start", `"rings"`), "name more with Classes", func() error { return event(wide, "start", `"rings"`) }},
		{"an import of another class", imports(painter(flat(3), "a")), "name it with Classes", func() error { return imports(painter(flat(3), "a", "class 1")) }},
		{"a spot too many", event(full, "paint", `{"Points":[[0,0]],"Class":0}`), "erase 1 first", func() error { return event(erased, "paint", `{"Points":[[0,0]],"Class":0}`) }},
		{"one dimension", lift(1, 0, 1), "choose 2 to 50", func() error { return lift(50, 0, 1) }},
		{"noise of 2", lift(3, 2, 1), "choose 0 to 1, in units of half the canvas", func() error { return lift(3, 1, 1) }},
		{"the seed 0", lift(3, 0, 0), "choose 1 to", func() error { return lift(3, 0, 1) }},
		{"21 painted classes", paint(flat(3), names(21)...), "name 1 to 20 with Classes", func() error { return paint(flat(3), names(20)...) }},
		{"101 stored labels", painted(func(p *painting) { p.Labels = 101 }), "keep 1 to 100, or 0 for all", func() error { return painted(func(p *painting) { p.Labels = 100 }) }},
		{"a canvas of four features", paint(iris), "give data with 2", func() error { return paint(iris.PCA(2)) }},
		{"a canvas of 2,001 samples", paint(flat(2001)), "give at most 2000, for example with Data.Take", func() error { return paint(data.New(mat.NewDense(2001, 2, nil), make([]int, 2001)).Seed(1).Take(2000)) }},
		{"an unknown start", event(painter(flat(3)), "start", `"spirals"`), `choose from ["two moons" "rings" "Gaussians"]`, func() error { return event(painter(flat(3)), "start", `"rings"`) }},
		{"sparse rows", check(sparseData(t)), "reduce sparse rows with Data.PCA", func() error { return check(sparseData(t).PCA(1)) }},
		{"distances alone", check(distancesData()), "give the features from which the distances or neighbours were computed", func() error { return check(iris) }},
		{"70,001 samples", check(flat(70_001)), "take a subset with Data.Take", func() error {
			return check(data.New(mat.NewDense(70_001, 2, nil), make([]int, 70_001)).Seed(1).Take(1000))
		}},
		{"scribbles of one class", scribble(base, 1), "name 2 to 20 with Classes", func() error { return scribble(base, 3) }},
		{"a sweep over three options", sweep(lpp.List("neighbors", 2).List("dims", 1).Log10("width", 0, 0, 1)), "give one or two in total with Linear, Log10 or List of ssdrnb.Sweep", func() error {
			return sweep(lpp.List("neighbors", 2, 3).Log10("width", 0, 1, 1))
		}},
	})
}
