package guide

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Agreement compares the class probabilities of two samples i and j: a_ij = max(cos², least), where
// cos is the cosine of the angle between their rows of class probabilities and `least` is set by
// [NewAgreement]. a_ij is 1 if the rows are proportional.
type Agreement struct {
	p     *mat.Dense
	norms []float64
	least float64
}

// NewAgreement returns the agreement of class probabilities p (n×c). Each row must have at least
// one positive entry and no negative entries. `least`, in (0, 1], is the smallest possible
// agreement, which two orthogonal rows have.
func NewAgreement(p *mat.Dense, least float64) (*Agreement, error) {
	if !(least > 0 && least <= 1) {
		return nil, fmt.Errorf("%w: least share of weight kept = %v; it must be above 0 and at most 1", ErrOption, least)
	}
	n, _ := p.Dims()
	norms := make([]float64, n)
	for i := range norms {
		row := p.RawRowView(i)
		norms[i] = math.Sqrt(dot(row, row))
	}
	return &Agreement{p, norms, least}, nil
}

func (a *Agreement) at(i, j int) float64 {
	c := dot(a.p.RawRowView(i), a.p.RawRowView(j)) / (a.norms[i] * a.norms[j])
	return max(c*c, a.least)
}

func (a *Agreement) check(w *sparse.CSR) error {
	if n := len(a.norms); w.Rows != n || w.Cols != n {
		return fmt.Errorf("%w: the graph is %d×%d, but there are opinions of %d samples", ErrShape, w.Rows, w.Cols, n)
	}
	return nil
}

// Ties returns t_i = Σ_j w_ij·a_ij / Σ_j w_ij for each sample i: the share of its edge weights, in
// [least, 1], that remains after [Agreement.Guide] with guidance 1. It is 1 for samples without
// edges. 1 − t_i measures the doubt about the position of sample i: it is large if i and its
// neighbours have different predicted classes.
func (a *Agreement) Ties(w *sparse.CSR) ([]float64, error) {
	if err := a.check(w); err != nil {
		return nil, err
	}
	ties := make([]float64, w.Rows)
	par.Blocks(w.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			left, all := 0.0, 0.0
			cols, vals := w.Row(i)
			for k, j := range cols {
				left += vals[k] * a.at(i, int(j))
				all += vals[k]
			}
			if ties[i] = 1; all > 0 {
				ties[i] = min(1, left/all)
			}
		}
	})
	return ties, nil
}

// Cautious returns ties[i]^caution for each sample i, for use as trust in [Agreement.Guide]. For
// caution 0 it returns nil, which stands for full trust. With caution 1, guidance hardly changes
// the edges of doubtful samples, whose ties are small.
func Cautious(ties []float64, caution float64) []float64 {
	if caution == 0 {
		return nil
	}
	out := make([]float64, len(ties))
	for i, t := range ties {
		out[i] = math.Pow(t, caution)
	}
	return out
}

// Guide returns w with each weight w_ij multiplied by a_ij^(guidance·trust_i·trust_j). guidance is
// in [0, 1]; 0 leaves w unchanged. trust holds a number in [0, 1] for each sample (see [Cautious]);
// nil means 1.
func (a *Agreement) Guide(w *sparse.CSR, guidance float64, trust []float64) (*sparse.CSR, error) {
	if err := checkGuidance(guidance); err != nil {
		return nil, err
	}
	if err := a.check(w); err != nil {
		return nil, err
	}
	if trust != nil && len(trust) != w.Rows {
		return nil, fmt.Errorf("%w: trust has %d entries for %d samples, but must have one per sample", ErrShape, len(trust), w.Rows)
	}
	out := w.Clone()
	par.Blocks(w.Rows, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := out.Row(i)
			for k, j := range cols {
				power := guidance
				if trust != nil {
					power *= trust[min(i, int(j))] * trust[max(i, int(j))]
				}
				if agree := a.at(i, int(j)); power == 1 {
					vals[k] *= agree
				} else {
					vals[k] *= math.Pow(agree, power)
				}
			}
		}
	})
	return out, nil
}

// Affinities applies [Agreement.Guide] to the affinities p, with guidance 1 and the opinion o.
func Affinities(p *sparse.CSR, o *Opinion) (*sparse.CSR, error) {
	a, err := NewAgreement(o.Probabilities(), Least)
	if err != nil {
		return nil, err
	}
	return a.Guide(p, 1, nil)
}
