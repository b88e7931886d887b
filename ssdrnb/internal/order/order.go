// Package order lists and sorts indices.
package order

import (
	"cmp"
	"math"
	"slices"
)

const (
	digit  = 11 // bits per digit
	digits = 6  // digits of a 64-bit key
)

// short is the number of values below which a comparison sort is faster.
const short = 512

// Rows returns 0, 1, …, n−1.
func Rows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Where returns, in ascending order, the indices of the items for which `is` reports true.
func Where[T any](list []T, is func(T) bool) []int {
	var rows []int
	for i, v := range list {
		if is(v) {
			rows = append(rows, i)
		}
	}
	return rows
}

// By returns 0, 1, …, n−1 sorted by compare. Indices that compare equal stay in ascending order.
func By(n int, compare func(a, b int) int) []int {
	rows := Rows(n)
	slices.SortStableFunc(rows, compare)
	return rows
}

type entry struct {
	key uint64
	row int32
}

// Floats returns the indices of the values in ascending order of value. Equal values are ordered by
// index, −0 equals 0, and NaN is left out.
func Floats(values []float64) []int32 {
	entries := make([]entry, 0, len(values))
	for i, v := range values {
		if v == v {
			entries = append(entries, entry{key(v), int32(i)})
		}
	}
	if len(entries) < short {
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.row, b.row)) })
	} else {
		entries = radix(entries)
	}
	rows := make([]int32, len(entries))
	for k, e := range entries {
		rows[k] = e.row
	}
	return rows
}

// key maps values to integers that sort in the same order.
func key(v float64) uint64 {
	b := math.Float64bits(v + 0) // −0 becomes 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// radix sorts the entries stably by each digit of their keys, starting with the lowest digit.
func radix(entries []entry) []entry {
	var counts [digits][1 << digit]int32
	for _, e := range entries {
		for d := range digits {
			counts[d][e.key>>(d*digit)&(1<<digit-1)]++
		}
	}
	other := make([]entry, len(entries))
	for d := range digits {
		count, shift := &counts[d], d*digit
		if int(count[entries[0].key>>shift&(1<<digit-1)]) == len(entries) {
			continue // all keys have the same digit
		}
		at := int32(0)
		for v, c := range count {
			count[v] = at
			at += c
		}
		for _, e := range entries {
			v := e.key >> shift & (1<<digit - 1)
			other[count[v]] = e
			count[v]++
		}
		entries, other = other, entries
	}
	return entries
}
