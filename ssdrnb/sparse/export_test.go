package sparse

// EliminationOrder returns the rows of m in elimination order.
func EliminationOrder(m *CSR) ([]int32, error) {
	q, err := minimumDegree(m, 0)
	if err != nil {
		return nil, err
	}
	order := make([]int32, 0, m.Rows)
	for _, p := range q.pivots {
		order = q.rows(p, order)
	}
	return order, nil
}
