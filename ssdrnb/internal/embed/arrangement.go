package embed

import (
	"cmp"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// arrangement is an order of the samples in memory. Samples that are near each other in a layout
// get nearby places in memory. Steps of t-SNE on 70,000 samples then take a third less time,
// because positions that are read together share the processor's cache.
type arrangement struct {
	sample []int   // the sample at each place
	place  []int32 // the place of each sample
}

// arranged returns the order of samples along a Z-order curve (Morton 1966) through the first two
// coordinates of the positions y (n×d). Samples at the same point of the curve keep their order.
func arranged(y *mat.Dense) *arrangement {
	const cells = 1 << 16 // per coordinate
	n, d := y.Dims()
	code := make([]uint64, n) // position on the curve
	for c := range min(d, 2) {
		lo, hi := y.At(0, c), y.At(0, c)
		for i := range n {
			lo, hi = min(lo, y.At(i, c)), max(hi, y.At(i, c))
		}
		if !(hi > lo) {
			continue
		}
		for i := range n {
			code[i] |= interleaved(uint64((cells-1)*((y.At(i, c)-lo)/(hi-lo)))) << c
		}
	}
	a := &arrangement{order.By(n, func(i, j int) int { return cmp.Compare(code[i], code[j]) }), make([]int32, n)}
	for r, i := range a.sample {
		a.place[i] = int32(r)
	}
	return a
}

// interleaved spreads the lower 16 bits of v: bit k moves to bit 2k, and the odd bits are 0.
func interleaved(v uint64) uint64 {
	v = (v | v<<8) & 0x00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f
	v = (v | v<<2) & 0x33333333
	return (v | v<<1) & 0x55555555
}

// graph returns w with its rows and columns in the order of the arrangement. Unlike
// [sparse.CSR.Select], it does not sort the entries of a row, so that sums over a row add the same
// terms in the same order as in w.
func (a *arrangement) graph(w *sparse.CSR) *sparse.CSR {
	out := &sparse.CSR{Rows: w.Rows, Cols: w.Cols, RowPtr: make([]int, w.Rows+1), ColInd: make([]int32, len(w.ColInd)), Val: make([]float64, len(w.Val))}
	for r, i := range a.sample {
		out.RowPtr[r+1] = out.RowPtr[r] + w.RowPtr[i+1] - w.RowPtr[i]
	}
	par.Blocks(w.Rows, rowBlock, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			from, vals := w.Row(a.sample[r])
			cols, to := out.Row(r)
			copy(to, vals)
			for k, j := range from {
				cols[k] = a.place[j]
			}
		}
	})
	return out
}

// restore copies the rows of y, which are in the order of the arrangement, into the matrix `to` in
// the original order of the samples.
func (a *arrangement) restore(to, y *mat.Dense) {
	for r, i := range a.sample {
		to.SetRow(i, y.RawRowView(r))
	}
}

// options returns opt with samples renumbered by their places. Progress still receives positions in
// the original order of the samples.
func (a *arrangement) options(opt TSNEOptions, n, d int) TSNEOptions {
	rows := make([]int, len(opt.Pins.Rows))
	for k, i := range opt.Pins.Rows {
		rows[k] = int(a.place[i])
	}
	opt.Pins.Rows = rows
	if opt.Density.enabled() {
		radius := make([]float64, n)
		for r, i := range a.sample {
			radius[r] = opt.Density.Radius[i]
		}
		opt.Density.Graph, opt.Density.Radius = a.graph(opt.Density.Graph), radius
	}
	if report := opt.Progress; report != nil {
		shown := mat.NewDense(n, d, nil)
		opt.Progress = func(epoch, epochs int, y *mat.Dense, divergence float64) {
			a.restore(shown, y)
			report(epoch, epochs, shown, divergence)
		}
	}
	return opt
}
