package riemann

import "github.com/ssdrnb/ssdrnb/ssdrnb/sparse"

// Signed returns the matrix of the positive entries of `a` for sign 1, or of its negative entries
// for sign −1.
func Signed(a *sparse.CSR, sign float64) *sparse.CSR {
	m := &sparse.CSR{Rows: a.Rows, Cols: a.Cols, RowPtr: make([]int, a.Rows+1)}
	for i := range a.Rows {
		cols, vals := a.Row(i)
		for e, v := range vals {
			if sign*v > 0 {
				m.ColInd, m.Val = append(m.ColInd, cols[e]), append(m.Val, v)
			}
		}
		m.RowPtr[i+1] = len(m.Val)
	}
	return m
}

// Agree symmetrises the n×n matrix G, whose column i is the metric tensor of sample i; see
// [Learner]. Row i of `columns` holds column i of G. Positive entries of G are first multiplied by
// 1 − γ, negative entries by γ. If strict is true, entry (i, j) of the result is the weighted g_ij
// or g_ji, whichever is smaller in magnitude, or 0 if their signs differ. If strict is false, it is
// the average of the two.
func Agree(columns *sparse.CSR, gamma float64, strict bool) (*sparse.CSR, error) {
	up, down := sparse.Min, sparse.Max // the entry closer to 0
	if !strict {
		up, down = sparse.Average, sparse.Average
	}
	positive, err := Signed(columns, 1).Symmetrize(up)
	if err != nil {
		return nil, err
	}
	negative, err := Signed(columns, -1).Symmetrize(down)
	if err != nil {
		return nil, err
	}
	return sparse.Add(1-gamma, positive, gamma, negative)
}

// LocalTensor returns the components of a sample's metric tensor: pull (negative) for neighbours of
// the same class, and push (positive) for neighbours of other classes. `same` and `other` are the
// distances to these neighbours. If there are no neighbours of other classes, pull is scaled as if
// there were one at distance 1.
func LocalTensor(same, other []float64) (pull, push []float64) {
	sum := 0.0
	for _, d := range other {
		sum += 1 / (d * d)
	}
	for _, d := range other {
		push = append(push, 1/(d*d*sum))
	}
	total := 1.0
	if sum > 0 {
		total = float64(len(other)) / sum
	}
	for _, d := range same {
		pull = append(pull, -total/(float64(len(same))*d*d))
	}
	return pull, push
}
