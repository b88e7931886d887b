package datasets

import (
	"errors"
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// sparse is a sparse matrix of rows × cols entries. Entries that are not listed are 0, and repeated
// entries are added.
type sparse struct {
	rows, cols int
	// row[i] and col[i] are the position of values[i]. In a compressed matrix, ptr replaces row
	// (CSR) or col (CSC): values ptr[k] to ptr[k+1] − 1 are in row or column k.
	row, col, ptr []float64
	values        []float64
}

// dense returns the matrix in row-major order.
func (s *sparse) dense(budget *files.Budget) ([]float64, error) {
	if s.rows < 0 || s.cols < 0 {
		return nil, fmt.Errorf("the size %d×%d is negative", s.rows, s.cols)
	}
	lines, sides := 0, []int{s.rows, s.cols}
	index := [][]float64{s.row, s.col}
	for k, at := range index {
		if at == nil {
			lines = sides[k]
		} else if len(at) < len(s.values) && s.ptr == nil {
			return nil, fmt.Errorf("the matrix has %s, but only %s", nouns.Count(len(s.values), "value"), nouns.Count(len(at), "position"))
		}
	}
	listed := len(s.values)
	if s.ptr != nil {
		if len(s.ptr)-1 != lines {
			return nil, fmt.Errorf("there are %d pointers, but %d compressed rows or columns need %d", len(s.ptr), lines, lines+1)
		}
		listed = min(listed, max(len(s.row), len(s.col)))
		for k, p := range s.ptr {
			if !whole(p, listed+1) || k == 0 && p != 0 || k > 0 && p < s.ptr[k-1] {
				return nil, fmt.Errorf("pointer %d is %v, but pointers must be whole numbers that ascend from 0 to at most %d", k, p, listed)
			}
		}
		listed = int(s.ptr[len(s.ptr)-1])
	}
	for k, at := range index {
		for i, v := range at[:min(len(at), listed)] {
			if !whole(v, sides[k]) {
				return nil, fmt.Errorf("value %d has the position %v on axis %d, outside the %d×%d matrix", i, v, k, s.rows, s.cols)
			}
		}
	}
	count, err := budget.TakeArray(sides)
	if err != nil {
		return nil, err
	}
	out := make([]float64, count)
	if s.ptr == nil {
		for i, v := range s.values {
			out[int(s.row[i])*s.cols+int(s.col[i])] += v
		}
		return out, nil
	}
	for line := range lines {
		for i := int(s.ptr[line]); i < int(s.ptr[line+1]); i++ {
			if s.row == nil {
				out[line*s.cols+int(s.col[i])] += s.values[i]
			} else {
				out[int(s.row[i])*s.cols+line] += s.values[i]
			}
		}
	}
	return out, nil
}

// whole reports whether v is a whole number from 0 to n − 1.
func whole(v float64, n int) bool { return v >= 0 && v < float64(n) && v == math.Trunc(v) }

// array returns the matrix as a dense array.
func (s *sparse) array(file string, budget *files.Budget) (*array, error) {
	values, err := s.dense(budget)
	switch {
	case errors.Is(err, data.ErrTooLarge):
		return nil, tooLarge(file, err)
	case err != nil:
		return nil, bad(ErrFormat, file, "a sparse matrix: %v", err)
	}
	return &array{shape: []int{s.rows, s.cols}, values: values}, nil
}
