package data

// MarkedRows counts the matrices whose scaling is known.
func MarkedRows() (n int) {
	scaledRows.Range(func(_, _ any) bool {
		n++
		return true
	})
	return n
}
