package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Spectral returns initial positions (n×d): the bottom eigenvectors of the normalised Laplacian of
// w, without the trivial eigenvector. Each component of the graph is laid out separately. `coarse`
// (n×d) holds approximate positions, such as principal components. If the graph has several
// components, each is centred on the mean of its rows in `coarse`, and extends at most half the
// distance to the nearest centre. If `coarse` is nil, the centres are the points of a grid. A
// component of fewer than 2d + 4 samples gets random positions, and so does a component whose
// eigenvectors do not converge. Rescale the result with [Spread].
func Spectral(ctx context.Context, w *sparse.CSR, coarse *mat.Dense, d int, seed uint64) (*mat.Dense, error) {
	if err := checkGraph(w); err != nil {
		return nil, err
	}
	if d < 1 {
		return nil, fmt.Errorf("%w: %d dimensions, but at least 1 is needed", ErrOption, d)
	}
	n := w.Rows
	if coarse != nil {
		if err := checkPositions(coarse, n); err != nil {
			return nil, err
		}
		if _, c := coarse.Dims(); c != d {
			return nil, fmt.Errorf("%w: coarse positions have %d dimensions instead of %d", ErrShape, c, d)
		}
	}
	count, of := graph.ComponentsAbove(w, 0)
	y := mat.NewDense(n, d, nil)
	if count == 1 {
		return y, component(ctx, y, w, seed)
	}
	members := make([][]int, count)
	for i, c := range of {
		members[c] = append(members[c], i)
	}
	centres := centresOf(members, coarse, d)
	for c, rows := range members {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		nearest := math.Inf(1)
		for o := range members {
			if o != c {
				nearest = min(nearest, samples.SquaredDistance(centres.RawRowView(c), centres.RawRowView(o)))
			}
		}
		sub, err := w.Select(rows, rows)
		if err != nil {
			return nil, err
		}
		part := mat.NewDense(len(rows), d, nil)
		if err := component(ctx, part, sub, seed+uint64(c)); err != nil {
			return nil, err
		}
		most := 0.0
		for _, v := range part.RawMatrix().Data {
			most = max(most, math.Abs(v))
		}
		scale := 0.0
		if most > 0 {
			scale = math.Sqrt(nearest) / 2 / most
		}
		for k, i := range rows {
			for j, v := range part.RawRowView(k) {
				y.Set(i, j, centres.At(c, j)+scale*v)
			}
		}
	}
	return y, nil
}

// component sets y to the bottom eigenvectors of a connected graph, or to random numbers if the
// graph is too small or the eigenvectors do not converge.
func component(ctx context.Context, y *mat.Dense, w *sparse.CSR, seed uint64) error {
	n, d := y.Dims()
	if n >= 2*d+4 {
		// A layout drawn a few hundred pixels wide needs no higher accuracy.
		p, err := spectral.LaplacianBottom(ctx, w, d, spectral.Normalized, spectral.Options{Tolerance: 1e-4})
		switch {
		case err == nil:
			y.Copy(p.Vectors)
			return nil
		case !errors.Is(err, spectral.ErrNotConverged):
			return err
		}
	}
	for i := range n {
		s := newStream(seed, 0, i)
		for j := range d {
			y.Set(i, j, s.share()-0.5)
		}
	}
	return nil
}

// centresOf returns, for each component, the mean of its rows in `coarse`. If `coarse` is nil, it
// returns grid points.
func centresOf(members [][]int, coarse *mat.Dense, d int) *mat.Dense {
	centres := mat.NewDense(len(members), d, nil)
	side := 1
	for math.Pow(float64(side), float64(d)) < float64(len(members)) {
		side++
	}
	for c, rows := range members {
		at := centres.RawRowView(c)
		if coarse == nil {
			rest := c
			for j := range at {
				at[j] = float64(rest % side)
				rest /= side
			}
			continue
		}
		for _, i := range rows {
			for j, v := range coarse.RawRowView(i) {
				at[j] += v / float64(len(rows))
			}
		}
	}
	return centres
}

// Spread returns initial positions for [Layout]: a copy of y with its columns centred and scaled to
// the given width, 10 in umap-learn. Random noise of a ten-thousandth of the width separates
// samples that coincide. If isEmbedding is true, y is an embedding, and one factor for all columns
// preserves its aspect ratio. Otherwise each column is scaled separately, as in umap-learn.
// Positions are rounded to 1/4096 of the width, because the last digits of eigenvectors differ
// between processors, and layouts amplify every difference.
func Spread(y *mat.Dense, width float64, seed uint64, isEmbedding bool) *mat.Dense {
	out := mat.DenseCopyOf(y)
	n, d := y.Dims()
	extent, middle := make([]float64, d), make([]float64, d)
	for j := range d {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range n {
			lo, hi = min(lo, y.At(i, j)), max(hi, y.At(i, j))
		}
		extent[j], middle[j] = hi-lo, (lo+hi)/2
	}
	widest := slices.Max(extent)
	for j, e := range extent {
		if isEmbedding {
			e = widest
		}
		scale := 0.0
		if e > 0 {
			scale = width / e
		}
		for i := range n {
			out.Set(i, j, Rounded((y.At(i, j)-middle[j])*scale, width/4096))
		}
	}
	jitter(out, width*1e-4, seed)
	return out
}

// Shrunk returns initial positions for [TSNE]: a copy of y with its columns centred and scaled by a
// common factor, so that the first column has the standard deviation sd, usually 1e-4. Random noise
// of a hundredth of sd is added. If isEmbedding is true, y is an embedding whose columns have no
// order, and the widest column, not the first, gets this standard deviation. Positions are rounded
// to sd/512, see [Spread].
func Shrunk(y *mat.Dense, sd float64, seed uint64, isEmbedding bool) *mat.Dense {
	out := mat.DenseCopyOf(y)
	n, d := y.Dims()
	mean, square := samples.Means(y), make([]float64, d)
	for j := range d {
		for i := range n {
			square[j] += (y.At(i, j) - mean[j]) * (y.At(i, j) - mean[j]) / float64(n)
		}
	}
	s := square[0]
	if isEmbedding {
		s = slices.Max(square)
	}
	scale := 0.0
	if s > 0 {
		scale = sd / math.Sqrt(s)
	}
	for j := range d {
		for i := range n {
			out.Set(i, j, Rounded((y.At(i, j)-mean[j])*scale, sd/512))
		}
	}
	jitter(out, sd/100, seed)
	return out
}

// Centred returns a copy of positions y with its columns centred and rounded to about 2⁻²⁰ of the
// largest coordinate, see [Spread]. [TSNE] starts from this copy when it continues another layout.
func Centred(y *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(y)
	n, d := y.Dims()
	at := out.RawMatrix().Data
	centre(at, n, d)
	widest := 0.0
	for _, v := range at {
		widest = max(widest, math.Abs(v))
	}
	if widest > 0 {
		_, exponent := math.Frexp(widest)
		for k, v := range at {
			at[k] = Rounded(v, math.Ldexp(1, exponent-20))
		}
	}
	return out
}

// Rounded returns the multiple of `unit` nearest to v.
func Rounded(v, unit float64) float64 { return math.Round(v/unit) * unit }

func jitter(y *mat.Dense, width float64, seed uint64) {
	n, d := y.Dims()
	for i := range n {
		s := newStream(seed, -1, i)
		for j := range d {
			y.Set(i, j, y.At(i, j)+float64(width*(s.share()-0.5)))
		}
	}
}
