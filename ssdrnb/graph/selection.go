package graph

// partition rearranges list around the entry at position k: all keys before it are at most its key,
// and all keys after it are at least its key (Hoare's selection).
func partition[T any](list []T, k int, key func(T) float64) {
	lo, hi := 0, len(list)-1
	for lo < hi {
		// The pivot is the median of three, so that sorted input stays fast.
		a, b, c := key(list[lo]), key(list[lo+(hi-lo)/2]), key(list[hi])
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for key(list[i]) < pivot {
				i++
			}
			for key(list[j]) > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}

// selectKth returns the k-th smallest value of v, counted from 0. It rearranges v so that this
// value is at position k and no larger value precedes it.
func selectKth(v []float64, k int) float64 {
	partition(v, k, func(x float64) float64 { return x })
	return v[k]
}
