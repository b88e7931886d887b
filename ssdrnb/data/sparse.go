package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Data with sparse features, such as counts of words.

// NewSparse returns data with sparse features: rows is n×D, one sample per row, with few entries in
// each. Labels are as in [New]. X is nil. rows is not copied.
//
// Methods that need dense rows return an error. [Data.PCA] and the method PCA convert sparse rows
// to dense ones. Methods based on neighbours search the rows with the Euclidean, cosine or Jaccard
// metric.
func NewSparse(rows *sparse.CSR, labels []int) *Data {
	d := &Data{Name: "sparse data", Rows: rows}
	if rows == nil {
		return d.fail(advice.Errorf("give at least one row and one column", "%w: NewSparse: the matrix is nil", ErrEmpty))
	}
	if labels != nil {
		d.Labels, d.Truth = slices.Clone(labels), slices.Clone(labels)
	}
	d.err = d.Validate()
	return d
}

// checkRows returns an error unless the rows are well formed and finite.
func checkRows(rows *sparse.CSR) error {
	if rows.Rows == 0 || rows.Cols == 0 {
		return advice.Errorf("give at least one row and one column", "%w: the rows are %d×%d", ErrEmpty, rows.Rows, rows.Cols)
	}
	if err := rows.Check(); errors.Is(err, sparse.ErrNotFinite) {
		return advice.Errorf("remove the row or fill the gap first", "%w: %w", ErrNotFinite, err)
	} else if err != nil {
		return advice.Errorf("make the matrix with sparse.FromTriplets", "%w: %w", ErrShape, err)
	}
	return nil
}

// TFIDF returns a copy with tf–idf weights. It multiplies each count by 1 + ln((1 + n)/(1 + m)),
// where n is the number of rows and m the number of rows with a positive count in that column. It
// then scales rows to length 1, as scikit-learn's TfidfTransformer does. A row of zeros does not
// change. The data must come from [NewSparse] and must not contain negative values.
//
// Source: Spärck Jones 1972; the smoothed weights follow scikit-learn.
func (d *Data) TFIDF() *Data {
	if d.Err() != nil {
		return d
	}
	if d.Rows == nil {
		return d.fail(advice.Errorf("make the data with NewSparse", "%w: TFIDF needs sparse features, but the data have none", ErrOption))
	}
	in := d.Rows
	weight := make([]float64, in.Cols)
	for i := range in.Rows {
		cols, values := in.Row(i)
		for k, v := range values {
			if v < 0 {
				return d.fail(advice.Errorf("give counts ≥ 0", "%w: TFIDF: the value is %v in row %d, column %d", ErrOption, v, i, cols[k]))
			}
			if v > 0 {
				weight[cols[k]]++
			}
		}
	}
	for j, m := range weight {
		weight[j] = 1 + math.Log(float64(1+in.Rows)/(1+m))
	}
	out := &sparse.CSR{Rows: in.Rows, Cols: in.Cols, RowPtr: in.RowPtr, ColInd: in.ColInd, Val: make([]float64, len(in.Val))}
	for i := range in.Rows {
		cols, values := in.Row(i)
		_, row := out.Row(i)
		most := 0.0
		for k, v := range values {
			row[k] = v * weight[cols[k]]
			most = max(most, row[k])
		}
		if most == 0 {
			continue
		}
		norm := 0.0
		for _, v := range row {
			norm += float64(v / most * (v / most))
		}
		norm = most * math.Sqrt(norm)
		for k := range row {
			row[k] /= norm
		}
	}
	c := d.with("tf–idf weights, rows of length 1")
	c.Rows = out
	c.err = c.Validate()
	return c
}

// NumFeatures returns the number of features D of dense or sparse rows; [Data.Dim] counts dense
// features only.
func (d *Data) NumFeatures() int {
	if d != nil && d.Rows != nil {
		return d.Rows.Cols
	}
	return d.Dim()
}

// dense returns an error unless the data have dense features. call is the name of the method that
// needs them.
func (d *Data) dense(call string) error {
	switch {
	case d.X != nil:
		return nil
	case d.Rows != nil:
		return advice.Errorf(fmt.Sprintf("reduce them with Data.PCA(%d) first", min(50, d.Rows.Rows, d.Rows.Cols)), "%w: %s needs dense features, but these are sparse", ErrOption, call)
	case d.Related():
		return advice.Errorf("call it on the features, before you compute distances or neighbours", "%w: %s needs features, but the samples have only distances or neighbours", ErrOption, call)
	}
	return advice.Errorf("read the data again", "%w: %s needs features, but the data have none", ErrEmpty, call)
}

// learnSparsePCA is [Data.LearnPCA] for sparse features. It uses a randomised projection.
func (d *Data) learnSparsePCA(keep float64) Scaling {
	most := min(d.Rows.Rows, d.Rows.Cols)
	if !(keep >= 1) || keep != math.Trunc(keep) || keep > float64(most) {
		remedy := "call PCA(1)"
		if most > 1 {
			remedy = fmt.Sprintf("give a number of components from 1 to %d, such as PCA(%d)", most, min(50, most))
		}
		return Scaling{err: advice.Errorf(remedy, "%w: PCA(%v) of sparse features", ErrOption, keep)}
	}
	c, err := sparse.Principal(context.Background(), d.Rows, int(keep), d.seed)
	if err != nil {
		return Scaling{err: advice.Errorf("give rows that differ, with values of ordinary size", "%w: PCA(%v) of sparse features: %w", ErrOption, keep, err)}
	}
	kept := 0.0
	for _, v := range c.Variance {
		kept += v
	}
	return Scaling{steps: []step{{shift: c.Mean, basis: c.Basis,
		note: fmt.Sprintf("%s, %.3g %% of the variance", nouns.Count(len(c.Variance), "principal component"), 100*kept/c.Total)}}}
}

// applyRows is Apply for sparse rows. The first step of s must be a projection.
func (s Scaling) applyRows(rows *sparse.CSR) (*mat.Dense, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case len(s.steps) == 0:
		return nil, nil
	case s.Features() != rows.Cols:
		return nil, advice.Errorf("give the features that it was learned from, in the same order", "%w: the scaling was learned from %s, but the data have %d", ErrShape, nouns.Count(s.Features(), "feature"), rows.Cols)
	case s.steps[0].basis == nil || s.steps[0].scale != nil:
		return nil, advice.Errorf(fmt.Sprintf("reduce them with Data.PCA(%d) first", min(50, rows.Rows, rows.Cols)), "%w: scaling sparse features would make most zeros nonzero", ErrOption)
	}
	x, err := (&sparse.Components{Mean: s.steps[0].shift, Basis: s.steps[0].basis}).Project(rows)
	if err != nil {
		return nil, err
	}
	return Scaling{steps: s.steps[1:]}.apply(x)
}
