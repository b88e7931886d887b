package outofsample

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
)

// Linear is the map x ↦ (x − Mean)·W + Bias from D features to d dimensions.
type Linear struct {
	W    *mat.Dense // D×d
	Mean []float64  // of length D
	Bias []float64  // of length d; nil means 0
}

// Kind returns the name of the rule in model files.
func (l *Linear) Kind() string { return "linear" }

// First returns the rule for the first d dimensions of the embedding.
func (l *Linear) First(d int) Map {
	features, _ := l.W.Dims()
	out := &Linear{W: l.W.Slice(0, features, 0, d).(*mat.Dense), Mean: l.Mean}
	if l.Bias != nil {
		out.Bias = l.Bias[:d]
	}
	return out
}

// Features returns the number of features of a point.
func (l *Linear) Features() int { return len(l.Mean) }

// Apply embeds the rows of x. x must have Features columns.
func (l *Linear) Apply(x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	_, d := l.W.Dims()
	// Compute (x − mean)·W in blocks of rows, so that no full centred copy of x is needed.
	const block = 4096
	y := mat.NewDense(n, d, nil)
	for i := 0; i < n; i += block {
		k := min(block, n-i)
		c := mat.NewDense(k, len(l.Mean), nil)
		for r := range k {
			row, src := c.RawRowView(r), x.RawRowView(i+r)
			for j, m := range l.Mean {
				row[j] = src[j] - m
			}
		}
		y.Slice(i, i+k, 0, d).(*mat.Dense).Mul(c, l.W)
	}
	dense.AddRow(y, l.Bias)
	return y, nil
}

// Arrays returns the arrays of the rule for a model file.
func (l *Linear) Arrays() map[string]*mat.Dense {
	a := map[string]*mat.Dense{"w": l.W, "mean": mat.NewDense(1, len(l.Mean), l.Mean)}
	if l.Bias != nil {
		a["bias"] = mat.NewDense(1, len(l.Bias), l.Bias)
	}
	return a
}
