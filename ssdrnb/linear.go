package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
)

// linear is the map x ↦ (x − mean)·W + bias.
type linear struct {
	w    *mat.Dense // D×d
	mean []float64  // D
	bias []float64  // d, nil for none
}

func (l *linear) kind() string { return "linear" }

func (l *linear) first(d int) mapping {
	features, _ := l.w.Dims()
	out := &linear{w: l.w.Slice(0, features, 0, d).(*mat.Dense), mean: l.mean}
	if l.bias != nil {
		out.bias = l.bias[:d]
	}
	return out
}

func (l *linear) features() int { return len(l.mean) }

func (l *linear) apply(x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	_, d := l.w.Dims()
	// (x − mean)·W by rows in blocks: the centred copy of x never exists whole.
	const block = 4096
	y := mat.NewDense(n, d, nil)
	for i := 0; i < n; i += block {
		k := min(block, n-i)
		c := mat.NewDense(k, len(l.mean), nil)
		for r := range k {
			row, src := c.RawRowView(r), x.RawRowView(i+r)
			for j, m := range l.mean {
				row[j] = src[j] - m
			}
		}
		y.Slice(i, i+k, 0, d).(*mat.Dense).Mul(c, l.w)
	}
	dense.AddRow(y, l.bias)
	return y, nil
}

func (l *linear) arrays() map[string]*mat.Dense {
	a := map[string]*mat.Dense{"w": l.w, "mean": mat.NewDense(1, len(l.mean), l.mean)}
	if l.bias != nil {
		a["bias"] = mat.NewDense(1, len(l.bias), l.bias)
	}
	return a
}
