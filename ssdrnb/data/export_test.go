package data

// MarkedRows counts the matrices with recorded scaling.
func MarkedRows() (n int) {
	scaledRows.Range(func(_, _ any) bool {
		n++
		return true
	})
	return n
}
