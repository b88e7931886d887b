package data

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Anchors are samples with known coordinates in the embedding. Papers on semi-supervised manifold
// learning call these coordinates prior information. The zero value contains no anchors.
type Anchors struct {
	// Rows lists the rows of the anchors, without duplicates.
	Rows []int
	// Y holds the coordinates of the anchors, len(Rows)×d for an embedding of d dimensions.
	Y *mat.Dense
}

// Len returns the number of anchors.
func (a Anchors) Len() int { return len(a.Rows) }

// Check returns an error unless the rows are distinct numbers from 0 to n − 1, and Y has one row of
// finite coordinates for each. Anchors without rows are valid.
func (a Anchors) Check(n int) error {
	if a.Len() == 0 {
		return nil
	}
	if a.Y == nil || a.Y.IsEmpty() {
		return advice.Errorf("give one row of coordinates for each anchor", "%w: there %s, but no coordinates", ErrShape, nouns.Form(a.Len(), "is ", "are ")+nouns.Count(a.Len(), "anchor"))
	}
	if m, _ := a.Y.Dims(); m != a.Len() {
		return advice.Errorf("give one row of coordinates for each anchor", "%w: %s of coordinates for %s", ErrShape, nouns.Count(m, "row"), nouns.Count(a.Len(), "anchor"))
	}
	seen := make(map[int]bool, a.Len())
	for k, i := range a.Rows {
		switch {
		case i < 0 || i >= n:
			return advice.Errorf("correct or remove it", "%w: anchor %d is row %d, but rows run from 0 to %d", ErrOption, k, i, n-1)
		case seen[i]:
			return advice.Errorf("list each row once", "%w: row %d is listed twice as an anchor", ErrOption, i)
		}
		seen[i] = true
		for c, v := range a.Y.RawRowView(k) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return advice.Errorf("correct or remove it", "%w: coordinate %d of anchor %d = %v", ErrNotFinite, c, k, v)
			}
		}
	}
	return nil
}

// WithAnchors returns a copy in which the given samples have known coordinates in the embedding. y
// has one row per entry of rows and one column per dimension of the embedding.
func (d *Data) WithAnchors(rows []int, y *mat.Dense) *Data {
	if d.Err() != nil {
		return d
	}
	c := d.with("")
	c.Anchors = Anchors{Rows: slices.Clone(rows)}
	if y != nil && !y.IsEmpty() {
		c.Anchors.Y = mat.DenseCopyOf(y)
	}
	c.err = c.Anchors.Check(d.Len())
	return c
}

// follow returns the anchors with their new row numbers to[row]. Anchors without a new number are
// dropped.
func (a Anchors) follow(to map[int]int) Anchors {
	var out Anchors
	var kept []int
	for k, i := range a.Rows {
		if row, ok := to[i]; ok {
			out.Rows, kept = append(out.Rows, row), append(kept, k)
		}
	}
	if kept != nil {
		_, cols := a.Y.Dims()
		out.Y = mat.NewDense(len(kept), cols, nil)
		for r, k := range kept {
			out.Y.SetRow(r, a.Y.RawRowView(k))
		}
	}
	return out
}
