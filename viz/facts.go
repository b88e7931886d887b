package viz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// Fact is a value that a model computes for each sample, for [Figure.Color], [Figure.PointSize],
// [Figure.Opacity] and [Figure.Hover].
type Fact string

const (
	// PredictedClass is the class of the labelled sample that is nearest in the embedding; the
	// sample itself is excluded. If several are equally near, it is the smallest of their classes.
	PredictedClass Fact = "predicted class"
	// Confidence is 1 − a/b. Here a is the distance in the embedding to the nearest sample with the
	// label PredictedClass, and b the distance to the nearest sample with another label; the sample
	// itself is excluded. Confidence is 0 half-way between two classes, and 1 at the position of
	// another labelled sample.
	Confidence Fact = "confidence"
	// Residual is the distance of a sample from the subspace of a linear model, in units of the
	// features.
	Residual Fact = "residual"
	// Reliability is the share of the 15 nearest neighbours of a sample in the data that are also
	// among its 15 nearest neighbours in the embedding. For n < 31 samples, the number of
	// neighbours is (n − 1)/2, rounded down. See [metrics.Reliability] and [Distortion].
	Reliability Fact = "reliability"
	// ProposedClass is the class that label propagation along the neighbourhood graph of the data
	// assigns to a sample, see [ssdrnb.Model.Opinions]. A labelled sample keeps its label. The
	// class is unknown if the connected component of the sample contains no label.
	ProposedClass Fact = "proposed class"
	// Probability is the estimated probability of ProposedClass, see [ssdrnb.Opinion]. The estimate
	// is too high where classes overlap in the neighbourhood graph.
	Probability Fact = "probability"
	// Doubt is 1 − Probability.
	Doubt Fact = "doubt"
	// TiesKept is 1 − [ssdrnb.Model.TiesCut]. [ssdrnb.S2NE] lowers the weights of edges that
	// contradict the labels, and TiesKept is the share of a sample's edge weight that remains at
	// guidance 1. If it is small, the position of the sample is doubtful. If it is below 0.8 for at
	// least one sample, it is the default opacity of figures that set no colour, size, opacity,
	// density or highlight.
	TiesKept Fact = "ties kept"
)

// facts lists the facts about one embedding: all facts except [Stays].
var facts = []Fact{PredictedClass, Confidence, Residual, Reliability, ProposedClass, Probability, Doubt, TiesKept}

// column returns the values of the fact for the samples of a panel.
func (f Fact) column(p *panel) (column, error) {
	c := column{name: string(f), computed: true}
	var err error
	switch f {
	case PredictedClass:
		var classes []int
		if classes, _, err = classified(p); err != nil {
			return c, err
		}
		c = p.coded(f, classes)
	case Confidence:
		_, c.number, err = classified(p)
	case Residual:
		c.number, err = residual(p)
	case Reliability:
		var n *neighborhoods
		if n, err = neighborhoodsOf(p.model); err == nil {
			c.number = n.kept
		}
	case ProposedClass, Probability, Doubt:
		var o *ssdrnb.Opinion
		if o, err = opinionsOf(p); err != nil {
			return c, err
		}
		switch c.number = o.Doubt(); f {
		case ProposedClass:
			c = p.coded(f, o.Predicted())
		case Probability:
			for i, v := range c.number {
				c.number[i] = 1 - v
			}
		}
	case TiesKept:
		c.number, err = tiesKept(p)
	case Stays:
		err = fmt.Errorf("the fact Stays compares two embeddings and is only for colours; draw both with viz.Compare, and call Color(viz.Stays)")
	default:
		err = fmt.Errorf("there is no such Fact; give PredictedClass, Confidence, Residual, Reliability, ProposedClass, Probability, Doubt or TiesKept")
	}
	return c, err
}

// coded returns classes as categories with the class colours.
func (p *panel) coded(f Fact, classes []int) column {
	known := func(class int) bool { return class != data.Unlabelled }
	c := categorical(string(f), classes, cmp.Compare[int], known, p.data.ClassName)
	sorted := slices.Compact(slices.Sorted(slices.Values(classes)))
	for k, class := range slices.DeleteFunc(sorted, func(class int) bool { return !known(class) }) {
		c.keys[k].look = p.ranks[class]
	}
	c.coded = true
	return c
}

// opinionsOf returns the class probabilities that the model of a panel predicts.
func opinionsOf(p *panel) (*ssdrnb.Opinion, error) {
	m, ok := p.model.(interface {
		Opinions() (*ssdrnb.Opinion, error)
	})
	if !ok {
		return nil, fmt.Errorf("the model has no class probabilities (see ssdrnb.Model.Opinions); fit S2NE")
	}
	o, err := m.Opinions()
	if errors.Is(err, ssdrnb.ErrNoOpinion) {
		return nil, fmt.Errorf("%w; fit S2NE, or give values of ssdrnb.Opinions, such as those of Doubt", ssdrnb.ErrNoOpinion)
	}
	return o, err
}

// classified returns [PredictedClass] and [Confidence] for the samples of a panel.
func classified(p *panel) ([]int, []float64, error) {
	if len(p.data.Labels) != p.n || p.data.NumLabelled() < 2 {
		return nil, nil, fmt.Errorf("there are fewer than two labelled samples; fit the model to data with at least two labelled samples")
	}
	class, confidence := make([]int, p.n), make([]float64, p.n)
	// Distances in the embedding from each sample to the nearest and to the second nearest class.
	near, far := make([]float64, p.n), make([]float64, p.n)
	for i := range p.n {
		near[i], far[i] = math.Inf(1), math.Inf(1)
	}
	for _, c := range p.data.Classes() {
		var rows []int
		for i, l := range p.data.Labels {
			if l == c {
				rows = append(rows, i)
			}
		}
		train := mat.NewDense(len(rows), p.d, nil)
		for k, i := range rows {
			train.SetRow(k, p.y.RawRowView(i))
		}
		found, err := graph.Query(context.Background(), train, p.y, min(2, len(rows)), graph.Euclidean)
		if err != nil {
			return nil, nil, err
		}
		for i := range p.n {
			index, dist := found.Of(i)
			k := slices.IndexFunc(index, func(j int32) bool { return rows[j] != i })
			if k < 0 {
				continue // the sample is the only one of its class
			}
			switch d := dist[k]; {
			case d < near[i]:
				class[i], near[i], far[i] = c, d, near[i]
			case d < far[i]:
				far[i] = d
			}
		}
	}
	for i := range p.n {
		switch {
		case math.IsInf(far[i], 1):
			confidence[i] = math.NaN() // there is no other class
		case far[i] > 0:
			confidence[i] = 1 - near[i]/far[i]
		}
	}
	return class, confidence, nil
}

// withoutFeatures is the error for a model whose data d have no dense features.
func withoutFeatures(d *data.Data) error {
	switch {
	case d.Rows != nil:
		return fmt.Errorf("the features are sparse; fit the model to data reduced with Data.PCA")
	case d.Related():
		return fmt.Errorf("the data have no features; draw a model of data with features")
	}
	return fmt.Errorf("the model was loaded without its samples; fit it again")
}

// residual returns the distances of the samples from the subspace of a linear model.
func residual(p *panel) ([]float64, error) {
	m, ok := p.model.(interface {
		Projection() (*mat.Dense, []float64, error)
	})
	if !ok {
		return nil, fmt.Errorf("the model has no projection; fit a linear one, such as PCA")
	}
	w, mean, err := m.Projection()
	if errors.Is(err, ssdrnb.ErrNotLinear) {
		return nil, fmt.Errorf("%w; fit a linear one, such as PCA", ssdrnb.ErrNotLinear)
	}
	if err != nil {
		return nil, err
	}
	if p.data.X == nil {
		return nil, withoutFeatures(p.data)
	}
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDThin) {
		return nil, fmt.Errorf("the singular value decomposition of the projection failed; draw viz.Reliability instead")
	}
	var basis mat.Dense
	svd.UTo(&basis)
	values, rank := svd.Values(nil), 0
	for rank < len(values) && values[rank] > 1e-12*values[0] {
		rank++
	}
	features, _ := w.Dims()
	if rank == 0 {
		return nil, fmt.Errorf("all directions of the projection are zero; draw viz.Reliability instead")
	}
	q := basis.Slice(0, features, 0, rank)
	z := mat.DenseCopyOf(p.data.X)
	for i := range p.n {
		row := z.RawRowView(i)
		for k := range row {
			row[k] -= mean[k]
		}
	}
	var along, back mat.Dense
	along.Mul(z, q)
	back.Mul(&along, q.T())
	z.Sub(z, &back)
	out := make([]float64, p.n)
	for i := range out {
		out[i] = mat.Norm(z.RowView(i), 2)
	}
	return out, nil
}
