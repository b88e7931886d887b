package outofsample

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
)

// Placed adds a new point to a layout of UMAP. It computes the weights of UMAP's fuzzy edges from
// the point to its k nearest training samples. It then optimises the position of the point by
// UMAP's steps while all samples are fixed.
type Placed struct {
	Samples
	Y *mat.Dense // positions of the samples, n×d
	K int
	// Connectivity is UMAP's local connectivity, which determines the edge weights; see
	// [embed.FuzzyOptions].
	Connectivity float64
	// Scale is the factor from the layout to Y: Y holds the positions in the layout, multiplied by
	// Scale.
	Scale  float64
	Layout embed.Options
}

// Kind returns the name of the rule in model files.
func (m *Placed) Kind() string { return "placed" }

// Apply places the rows of q.
func (m *Placed) Apply(q *mat.Dense) (*mat.Dense, error) {
	ctx := context.Background()
	near, err := m.Near(ctx, q, m.K)
	if err != nil {
		return nil, err
	}
	to, err := embed.FuzzyTo(near, m.N, m.Connectivity)
	if err != nil {
		return nil, err
	}
	var y mat.Dense
	y.Scale(1/m.Scale, m.Y)
	out, err := embed.Place(ctx, to, &y, m.Layout)
	if err != nil {
		return nil, err
	}
	out.Scale(m.Scale, out)
	return out, nil
}

// Arrays returns the samples and the parameters of the rule. A connectivity of 1 is omitted.
func (m *Placed) Arrays() map[string]*mat.Dense {
	o := m.Layout
	a := m.arrays(map[string]*mat.Dense{"rule": mat.NewDense(1, 8, []float64{float64(m.K), m.Scale,
		o.Curve.A, o.Curve.B, o.LearningRate, float64(o.Negatives), o.Repulsion, float64(o.Seed)})})
	if m.Connectivity != 1 {
		a["connectivity"] = mat.NewDense(1, 1, []float64{m.Connectivity})
	}
	return a
}

// MostNegatives is the largest number of random samples that repel a sample after each attraction
// along an edge.
const MostNegatives = 1000

// DecodePlaced returns the rule stored in a model file.
func DecodePlaced(a map[string]*mat.Dense) (Map, error) {
	s, y, rule, err := decodeSamples(a, 8)
	if err != nil {
		return nil, err
	}
	for _, v := range rule[1:7] {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("the rule is %v; its first seven numbers must be positive and finite", rule)
		}
	}
	if math.IsInf(1/rule[1], 0) {
		return nil, fmt.Errorf("the unit of the layout is %v, but it and its reciprocal must be positive and finite", rule[1])
	}
	if _, err := Wholes(mat.NewDense(1, 1, rule[5:6]), 1, MostNegatives); err != nil {
		return nil, fmt.Errorf("the number of negative samples: %w", err)
	}
	if _, err := Wholes(mat.NewDense(1, 1, rule[7:8]), 0, 1<<53); err != nil {
		return nil, fmt.Errorf("the seed: %w", err)
	}
	connectivity := 1.0
	if c := a["connectivity"]; c != nil {
		if connectivity = c.At(0, 0); !(connectivity >= 0) {
			return nil, fmt.Errorf("the local connectivity is %g, but must be at least 0", connectivity)
		}
	}
	return &Placed{Samples: s, Y: y, K: int(rule[0]), Connectivity: connectivity, Scale: rule[1], Layout: embed.Options{Curve: embed.Curve{A: rule[2], B: rule[3]},
		LearningRate: rule[4], Negatives: int(rule[5]), Repulsion: rule[6], Seed: uint64(rule[7])}}, err
}

// PlacedTSNE adds a new point to a layout of t-SNE. It chooses the position with the smallest
// divergence between the point's affinities and its similarities to the training samples.
type PlacedTSNE struct {
	Samples
	Y          *mat.Dense // positions of the samples, n×d
	K          int        // number of nearest samples whose affinity to the point is not 0
	Perplexity float64
	// DegreesOfFreedom is α in the similarities (1 + d²/α)^−α of t-SNE.
	DegreesOfFreedom float64
	// Scale is the factor from the layout to Y: Y holds the positions in the layout, multiplied by
	// Scale.
	Scale float64
}

// Kind returns the name of the rule in model files.
func (m *PlacedTSNE) Kind() string { return "t-SNE" }

// Apply places the rows of q.
func (m *PlacedTSNE) Apply(q *mat.Dense) (*mat.Dense, error) {
	ctx := context.Background()
	near, err := m.Near(ctx, q, m.K)
	if err != nil {
		return nil, err
	}
	to, err := embed.PerplexityTo(near, m.N, m.Perplexity)
	if err != nil {
		return nil, err
	}
	var y mat.Dense
	y.Scale(1/m.Scale, m.Y)
	out, err := embed.PlaceTSNE(ctx, to, &y, m.DegreesOfFreedom, 0)
	if err != nil {
		return nil, err
	}
	out.Scale(m.Scale, out)
	return out, nil
}

// Arrays returns the samples and the parameters of the rule. Values of 1 for the degrees of freedom
// and the scale are omitted.
func (m *PlacedTSNE) Arrays() map[string]*mat.Dense {
	a := m.arrays(map[string]*mat.Dense{"rule": mat.NewDense(1, 2, []float64{float64(m.K), m.Perplexity})})
	if m.DegreesOfFreedom != 1 {
		a["degrees"] = mat.NewDense(1, 1, []float64{m.DegreesOfFreedom})
	}
	if m.Scale != 1 {
		a["scale"] = mat.NewDense(1, 1, []float64{m.Scale})
	}
	return a
}

// DecodePlacedTSNE returns the rule stored in a model file.
func DecodePlacedTSNE(a map[string]*mat.Dense) (Map, error) {
	s, y, rule, err := decodeSamples(a, 2)
	if err != nil {
		return nil, err
	}
	m := &PlacedTSNE{Samples: s, Y: y, K: int(rule[0]), Perplexity: rule[1], DegreesOfFreedom: 1, Scale: 1}
	if v := a["degrees"]; v != nil {
		m.DegreesOfFreedom = v.At(0, 0)
		if err := embed.CheckDegrees(m.DegreesOfFreedom); err != nil {
			return nil, err
		}
	}
	if v := a["scale"]; v != nil {
		if m.Scale = v.At(0, 0); !(m.Scale > 0) || math.IsInf(m.Scale, 1) || math.IsInf(1/m.Scale, 0) {
			return nil, fmt.Errorf("the unit of the layout is %v, but it and its reciprocal must be positive and finite", m.Scale)
		}
	}
	if !(m.Perplexity >= 1 && m.Perplexity <= float64(m.K)) {
		return nil, fmt.Errorf("the perplexity is %g, but must be between 1 and the number of neighbours, %d", m.Perplexity, m.K)
	}
	return m, err
}
