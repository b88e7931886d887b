package pairing

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Ordered returns the problem with reordered samples, so that linked samples are close in memory.
// For many samples, matrix products then take a fraction of the time. The returned function
// restores the original order of the rows of a matrix. The returned problem also stores, for
// [Problem.Grouping], the regions of the graph of Must (see [regions.Grow]). If there are no
// regions, or p.Residual is not nil, Ordered returns p unchanged.
func (p *Problem) Ordered() (*Problem, func(*mat.Dense) *mat.Dense, error) {
	same := func(y *mat.Dense) *mat.Dense { return y }
	if p.Residual != nil {
		return p, same, nil
	}
	r, err := regions.Grow(p.Must)
	if err != nil || r == nil {
		return p, same, err
	}
	m, err := r.Condense(p.Must)
	if err != nil {
		return nil, nil, err
	}
	order := r.Order(m)
	o := &Problem{Ell: p.Ell, Mu: p.Mu, Groups: p.Groups, Of: make([]int, len(order)), regions: r.Ordered(order), condensed: m}
	for _, part := range []struct {
		from *sparse.CSR
		to   **sparse.CSR
	}{{p.Cannot, &o.Cannot}, {p.Must, &o.Must}} {
		if *part.to, err = part.from.Select(order, order); err != nil {
			return nil, nil, err
		}
	}
	for k, i := range order {
		o.Of[k] = p.Of[i]
	}
	return o, func(y *mat.Dense) *mat.Dense {
		n, d := y.Dims()
		back := mat.NewDense(n, d, nil)
		for k, i := range order {
			copy(back.RawRowView(i), y.RawRowView(k))
		}
		return back
	}, nil
}
