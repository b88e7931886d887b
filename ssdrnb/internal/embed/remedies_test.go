package embed

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Arguments within the range that an error states give a result.
func TestRemedies(t *testing.T) {
	ctx := context.Background()
	is := func(_ any, err error) error { return err }
	pair := func(weight float64) *sparse.CSR {
		return &sparse.CSR{Rows: 2, Cols: 2, RowPtr: []int{0, 1, 2}, ColInd: []int32{1, 0}, Val: []float64{weight, weight}}
	}
	start := mat.NewDense(2, 1, []float64{0, 1})
	layout := func(weight float64, o Options) error {
		if o.Curve == (Curve{}) {
			o.Curve = Curve{A: 1, B: 1}
		}
		o.Epochs = max(o.Epochs, -1)
		return is(Layout(ctx, pair(weight), start, o))
	}
	pins := func(pull float64, rows ...int) error {
		return layout(1, Options{Epochs: 1, Pins: Pins{Rows: rows, Y: mat.NewDense(len(rows), 1, nil), Pull: pull}})
	}
	aligned := func(hold float64) error {
		slice := Slice{pair(1), start, Options{Epochs: 1, Curve: Curve{A: 1, B: 1}}}
		return is(Aligned(ctx, []Slice{slice, slice}, []Tie{{0, 0, 1, 0}}, hold))
	}
	nb, err := graph.Search(ctx, mat.NewDense(4, 1, []float64{0, 1, 3, 7}), 2, graph.SearchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	curve := func(minDist, spread float64) error { return is(FitCurve(minDist, spread)) }
	fuzzy := func(connectivity, mix float64) error {
		return is(Fuzzy(nb, FuzzyOptions{Connectivity: connectivity, Mix: mix}))
	}
	labels := func(far float64) error { return is(UseLabels(pair(1), []int{0, 1}, far)) }
	distance := func(weight float64) error { return is(LabelDistance(weight)) }
	perplexity := func(v float64) error { return is(Perplexity(nb, v)) }
	tsne := func(o TSNEOptions) error { o.Epochs = 1; return is(TSNE(ctx, pair(1), start, o)) }
	cases := []advicetest.Case{
		{"a spread of 0", curve(0, 0), "it must be positive", func() error { return curve(0, 1) }},
		{"a minimum distance above the spread", curve(2, 1), "it must lie between 0 and the spread 1", func() error { return errors.Join(curve(0, 1), curve(1, 1)) }},
		{"a curve of 0", layout(1, Options{Epochs: 1, Curve: Curve{A: -1, B: 1}}), "A and B must be positive and finite", func() error { return layout(1, Options{Epochs: 1, Curve: Curve{A: 1, B: 1}}) }},
		{"a negative weight", layout(-1, Options{Epochs: 1}), "weights must be finite and ≥ 0", func() error { return layout(1, Options{Epochs: 1}) }},
		{"a mix of 2", fuzzy(1, 2), "the second between 0 and 1", func() error { return errors.Join(fuzzy(0, 0), fuzzy(1, 1)) }},
		{"a negative distance of labels", labels(-1), "it must be at least 0", func() error { return labels(0) }},
		{"a target weight of 2", distance(2), "it must lie between 0 and 1", func() error { return errors.Join(distance(0), distance(1)) }},
		{"a hold of 2", aligned(2), "it must be from 0 to 1", func() error { return errors.Join(aligned(0), aligned(1)) }},
		{"pins without a pull", pins(0, 0), "it must be above 0 and at most 1", func() error { return errors.Join(pins(0.5, 0), pins(1, 0)) }},
		{"a density of −1", layout(1, Options{Epochs: 1, Density: Density{Lambda: -1}}), "it must be finite and at least 0", func() error {
			return layout(1, Options{Epochs: 1, Density: Density{Lambda: 1, Graph: pair(1), Radius: []float64{0, 1}}})
		}},
		{"a pin twice", pins(1, 0, 0), "pins must be different samples from 0 to 1", func() error { return pins(1, 0, 1) }},
		{"−1 epochs", layout(1, Options{Epochs: -1}), "all must be positive", func() error { return layout(1, Options{Epochs: 1}) }},
		{"a negative λ", Density{Lambda: -1}.check(2), "it must be finite and at least 0", func() error { return Density{}.check(2) }},
		{"a perplexity of 3", perplexity(3), "it must lie between 1 and the number of neighbours, 2", func() error { return errors.Join(perplexity(1), perplexity(2)) }},
		{"0.1 degrees of freedom", CheckDegrees(0.1), "they must lie between 0.2 and 100", func() error {
			return errors.Join(CheckDegrees(0.2), CheckDegrees(100))
		}},
		{"a momentum of 1", tsne(TSNEOptions{Momentum: 1}), "exaggerations at least 1, the momentum between 0 and 1", func() error { return tsne(TSNEOptions{Momentum: 0.9}) }},
		{"steps that run away", tsne(TSNEOptions{LearningRate: 1e308}), "lower the learning rate", func() error { return tsne(TSNEOptions{LearningRate: 1}) }},
	}
	advicetest.Everywhere(t, []string{"."}, nil, cases)
	advicetest.Agree(t, cases)
}
