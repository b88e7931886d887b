// Package disjoint implements disjoint sets of samples that can be merged (union–find).
package disjoint

// Sets are disjoint sets that together contain the numbers 0 … n−1. The lowest number in a set, its
// root, stands for the set.
type Sets []int32

// New returns the sets {0} … {n−1}.
func New(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Find returns the lowest number in the set of i.
func (s Sets) Find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Union merges the sets of i and j and reports whether they were different.
func (s Sets) Union(i, j int32) bool {
	a, b := s.Find(i), s.Find(j)
	if a == b {
		return false
	}
	s[max(a, b)] = min(a, b)
	return true
}
