package goblas

import "github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"

// shape is the relation between the stored array and the factor.
type shape int

const (
	plain      shape = iota // the array itself
	transposed              // its transpose
	upper                   // symmetric, with the upper triangle stored
	lower                   // symmetric, with the lower triangle stored
)

// factor is one of the two factors of a product.
type factor struct {
	data  []float64
	ld    int
	shape shape
}

// at returns the entry in row i, column j of the factor.
func (f factor) at(i, j int) float64 {
	switch {
	case f.shape == transposed, f.shape == upper && i > j, f.shape == lower && i < j:
		i, j = j, i
	}
	return f.data[i*f.ld+j]
}

// resolve returns a symmetric factor as plain or transposed if the given block lies within a single
// triangle of it. Otherwise it returns f unchanged.
func (f factor) resolve(rowStart, rowEnd, colStart, colEnd int) factor {
	if f.shape < upper {
		return f
	}
	below, above := rowStart >= colEnd-1, rowEnd-1 <= colStart
	switch {
	case f.shape == lower && below, f.shape == upper && above:
		f.shape = plain
	case f.shape == lower && above, f.shape == upper && below:
		f.shape = transposed
	}
	return f
}

// packLeft copies rows [rowStart, rowEnd) and columns [colStart, colEnd) of the left factor, times
// alpha, to dst. The layout is bands of MR rows, each stored column by column. The last band is
// padded with zeros.
func packLeft(dst []float64, f factor, rowStart, rowEnd, colStart, colEnd int, alpha float64) {
	const mr = kernel.MR
	k := colEnd - colStart
	for i := rowStart; i < rowEnd; i += mr {
		band := dst[:mr*k]
		dst = dst[mr*k:]
		rows := min(mr, rowEnd-i)
		g := f.resolve(i, i+rows, colStart, colEnd)
		switch {
		case g.shape == plain && rows == mr:
			a0 := g.data[i*g.ld+colStart:][:k]
			a1 := g.data[(i+1)*g.ld+colStart:][:k]
			a2 := g.data[(i+2)*g.ld+colStart:][:k]
			a3 := g.data[(i+3)*g.ld+colStart:][:k]
			for p, v := range a0 {
				out := (*[mr]float64)(band[mr*p:])
				out[0], out[1], out[2], out[3] = alpha*v, alpha*a1[p], alpha*a2[p], alpha*a3[p]
			}
		case g.shape == transposed && rows == mr:
			for p := range k {
				in := (*[mr]float64)(g.data[(colStart+p)*g.ld+i:])
				out := (*[mr]float64)(band[mr*p:])
				out[0], out[1], out[2], out[3] = alpha*in[0], alpha*in[1], alpha*in[2], alpha*in[3]
			}
		default:
			clear(band)
			for r := range rows {
				for p := range k {
					band[mr*p+r] = alpha * g.at(i+r, colStart+p)
				}
			}
		}
	}
}

// packRight copies rows [rowStart, rowEnd) and columns [colStart, colEnd) of the right factor to
// dst. The layout is bands of NR columns, each stored row by row. The last band is padded with
// zeros.
func packRight(dst []float64, f factor, rowStart, rowEnd, colStart, colEnd int) {
	const nr = kernel.NR
	k := rowEnd - rowStart
	for j := colStart; j < colEnd; j += nr {
		band := dst[:nr*k]
		dst = dst[nr*k:]
		cols := min(nr, colEnd-j)
		g := f.resolve(rowStart, rowEnd, j, j+cols)
		switch {
		case g.shape == plain && cols == nr:
			for p := range k {
				*(*[nr]float64)(band[nr*p:]) = *(*[nr]float64)(g.data[(rowStart+p)*g.ld+j:])
			}
		case g.shape == transposed && cols == nr:
			for c := 0; c < nr; c += 4 {
				b0 := g.data[(j+c)*g.ld+rowStart:][:k]
				b1 := g.data[(j+c+1)*g.ld+rowStart:][:k]
				b2 := g.data[(j+c+2)*g.ld+rowStart:][:k]
				b3 := g.data[(j+c+3)*g.ld+rowStart:][:k]
				for p, v := range b0 {
					out := (*[4]float64)(band[nr*p+c:])
					out[0], out[1], out[2], out[3] = v, b1[p], b2[p], b3[p]
				}
			}
		default:
			clear(band)
			for p := range k {
				for c := range cols {
					band[nr*p+c] = g.at(rowStart+p, j+c)
				}
			}
		}
	}
}
