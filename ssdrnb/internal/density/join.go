package density

import (
	"cmp"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/disjoint"
)

// Join merges clusters that labels or must-links connect. First it merges clusters whose labelled
// samples have the same majority class; in a tie the lowest class counts. Then it merges clusters
// that are joined by more must-links than cannot-links, beginning with the largest difference. This
// second step keeps two sets of merged clusters apart if some cluster of one and some cluster of
// the other are joined by more cannot-links than must-links. The resulting clusters are numbered in
// the order of their first sample. parts lists, in ascending order, the clusters merged into each
// of them.
func Join(of []int, k Knowledge) (joined []int, parts [][]int) {
	count, classes := 0, 0
	for _, c := range of {
		count = max(count, c+1)
	}
	for _, l := range k.Labels {
		classes = max(classes, l+1)
	}
	votes := make([]int, count*classes)
	for i, l := range k.Labels {
		if l >= 0 && of[i] >= 0 {
			votes[of[i]*classes+l]++
		}
	}
	s := disjoint.New(count)
	first := map[int]int{}
	for c := range count {
		own := votes[c*classes : (c+1)*classes]
		if classes == 0 || slices.Max(own) == 0 {
			continue
		}
		l := slices.Index(own, slices.Max(own))
		if f, ok := first[l]; ok {
			s.Union(int32(f), int32(c))
		} else {
			first[l] = c
		}
	}
	type link struct{ a, b, net int }
	net := map[[2]int]int{}
	for _, p := range k.Pairs {
		a, b := of[p.I], of[p.J]
		if a < 0 || b < 0 || a == b {
			continue
		}
		v := -1
		if p.Must {
			v = 1
		}
		net[[2]int{min(a, b), max(a, b)}] += v
	}
	var links []link
	for ends, v := range net {
		links = append(links, link{ends[0], ends[1], v})
	}
	slices.SortFunc(links, func(x, y link) int {
		return cmp.Or(cmp.Compare(y.net, x.net), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	for _, l := range links {
		a, b := s.Find(int32(l.a)), s.Find(int32(l.b))
		if l.net <= 0 || a == b {
			continue
		}
		apart := slices.ContainsFunc(links, func(o link) bool {
			x, y := s.Find(int32(o.a)), s.Find(int32(o.b))
			return o.net < 0 && (x == a && y == b || x == b && y == a)
		})
		if !apart {
			s.Union(a, b)
		}
	}
	roots := make([]int, len(of))
	for i, c := range of {
		roots[i] = Noise
		if c >= 0 {
			roots[i] = int(s.Find(int32(c)))
		}
	}
	joined, was := Numbered(roots)
	parts = make([][]int, len(was))
	for g, r := range was {
		for c := range count {
			if int(s.Find(int32(c))) == r {
				parts[g] = append(parts[g], c)
			}
		}
	}
	return joined, parts
}
