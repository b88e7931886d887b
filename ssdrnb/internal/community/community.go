// Package community divides a weighted graph into communities by modularity. It uses the Leiden
// algorithm (Traag, Waltman, van Eck, Scientific Reports 2019) without random choices: nodes are
// visited in the order of their indices, the refinement step selects the best community instead of
// a random one, and among equally good communities the one with the lowest number wins. Weights are
// rounded to integers, so that sums are exact. Results are the same on all processors and do not
// depend on their number.
package community

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// ErrOption means that an argument is out of range.
var ErrOption = errors.New("community: argument out of range")

const (
	// unit is the rounding unit of weights, as a share of the largest weight.
	unit = 1.0 / (1 << 20)
	// gained is the smallest gain for which a node moves, as a share of the degree of the node; see
	// network.gain. Smaller gains may be rounding errors.
	gained = 1e-10
	// passes is the largest number of passes over all levels. Each pass starts from the communities
	// of the previous pass. A pass that raises the modularity by less than `settled` is the last.
	passes  = 10
	settled = 1e-4
)

// network is a graph whose nodes each represent one or more nodes of the original graph.
type network struct {
	ptr     []int
	to      []int32
	weight  []float64 // integers, in rounding units
	degree  []float64 // of each node, including edges within the node
	total   float64   // sum of all degrees
	penalty float64   // resolution/total
}

// Communities is a partition of the nodes of a graph into communities.
type Communities struct {
	// Of is the community of each node. Communities are numbered in the order of their first node.
	Of    []int
	Count int
	// Modularity is Σ (e_c/2m − γ(k_c/2m)²) over the communities c: e_c is the sum of the weights
	// within c in both directions, k_c the sum of the degrees of its nodes, 2m the sum of all
	// degrees, and γ the resolution. Share holds the term of each community.
	Modularity float64
	Share      []float64
}

// Leiden returns the communities of the symmetric graph w with weights ≥ 0. A higher resolution γ
// gives more communities. A node without edges is a community of its own. Diagonal entries of w are
// ignored. Errors wrap [ErrOption] if the resolution is not positive and finite, if w is not
// square, or if a weight is negative or not finite.
func Leiden(ctx context.Context, w *sparse.CSR, resolution float64) (*Communities, error) {
	if !(resolution > 0) || math.IsInf(resolution, 1) {
		return nil, fmt.Errorf("%w: resolution = %v; it must be positive and finite", ErrOption, resolution)
	}
	g, err := networkOf(w, resolution)
	if err != nil {
		return nil, err
	}
	n := len(g.degree)
	of := make([]int32, n)
	for i := range of {
		of[i] = int32(i)
	}
	found := g.summary(of)
	for range passes {
		changed, err := g.improve(ctx, of)
		if err != nil {
			return nil, err
		}
		before := found.Modularity
		if found = g.summary(of); !changed || found.Modularity-before < settled {
			break
		}
	}
	return found, nil
}

// Modularity returns the modularity of a partition of the nodes of w into communities 0, 1, ….
func Modularity(w *sparse.CSR, of []int, resolution float64) (float64, error) {
	g, err := networkOf(w, resolution)
	if err != nil {
		return 0, err
	}
	own := make([]int32, len(of))
	for i, c := range of {
		own[i] = int32(c)
	}
	return g.summary(own).Modularity, nil
}

// networkOf returns w as a network with rounded weights.
func networkOf(w *sparse.CSR, resolution float64) (*network, error) {
	if w.Rows != w.Cols {
		return nil, fmt.Errorf("%w: the graph is a %d×%d matrix, but must be square", ErrOption, w.Rows, w.Cols)
	}
	largest := 0.0
	for k, v := range w.Val {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("%w: entry %d of the weights is %v; weights must be finite and at least 0", ErrOption, k, v)
		}
		largest = max(largest, v)
	}
	g := &network{ptr: make([]int, 1, w.Rows+1), degree: make([]float64, w.Rows)}
	for i := range w.Rows {
		cols, vals := w.Row(i)
		for k, j := range cols {
			v := math.Round(vals[k] / largest / unit)
			if int(j) == i || !(v > 0) {
				continue
			}
			g.to, g.weight = append(g.to, j), append(g.weight, v)
			g.degree[i] += v
		}
		g.ptr = append(g.ptr, len(g.to))
		g.total += g.degree[i]
	}
	g.penalty = resolution / max(g.total, 1)
	return g, nil
}

// improve makes one pass over all levels: it moves nodes between communities, then merges nodes
// into the nodes of the next level. It reports whether any community in `of` changed.
func (g *network) improve(ctx context.Context, of []int32) (changed bool, err error) {
	level, nodeOf := g, make([]int32, len(of)) // nodeOf[i] is the node of the level that contains the original node i
	for i := range nodeOf {
		nodeOf[i] = int32(i)
	}
	communities := append([]int32(nil), of...)
	for {
		if err := level.move(ctx, communities); err != nil {
			return false, err
		}
		communities, _ = numbered(communities) // the next level needs numbers below its number of nodes
		refined, count := level.refine(communities)
		if count == len(level.degree) {
			break
		}
		next := level.aggregate(refined, count)
		above := make([]int32, count)
		for v, r := range refined {
			above[r] = communities[v]
		}
		for i, v := range nodeOf {
			nodeOf[i] = refined[v]
		}
		level, communities = next, above
	}
	final := make([]int32, len(of))
	for i, v := range nodeOf {
		final[i] = communities[v]
	}
	final, _ = numbered(final)
	was, _ := numbered(of)
	for i := range final {
		changed = changed || final[i] != was[i]
	}
	copy(of, final)
	return changed, nil
}

// numbered renumbers communities in the order of their first node.
func numbered(of []int32) (out []int32, count int) {
	out = make([]int32, len(of))
	number := make([]int32, len(of))
	for i, c := range of {
		if number[c] == 0 {
			count++
			number[c] = int32(count)
		}
		out[i] = number[c] - 1
	}
	return out, count
}

// links sums the edge weights from a node to each community. `met` lists the communities whose sum
// is not 0.
type links struct {
	weight []float64
	met    []int32
}

func newLinks(n int) *links { return &links{weight: make([]float64, n)} }

func (l *links) add(c int32, w float64) {
	if l.weight[c] == 0 {
		l.met = append(l.met, c)
	}
	l.weight[c] += w
}

func (l *links) clear() {
	for _, c := range l.met {
		l.weight[c] = 0
	}
	l.met = l.met[:0]
}

// gain returns a value proportional to the increase in modularity when a node joins a community. k
// is the degree of the node, w is the weight of its edges to the community, and total is the degree
// of the community.
func (g *network) gain(w, k, total float64) float64 {
	return w - float64(float64(k*total)*g.penalty)
}

// move moves nodes to the community of largest gain until no move has a gain. It visits all nodes
// in turn, then the neighbours of nodes that moved.
func (g *network) move(ctx context.Context, of []int32) error {
	n := len(g.degree)
	total, size := make([]float64, n), make([]int32, n)
	for i, c := range of {
		total[c] += g.degree[i]
		size[c]++
	}
	var empty []int32 // communities without nodes, at first in descending order
	for c := n - 1; c >= 0; c-- {
		if size[c] == 0 {
			empty = append(empty, int32(c))
		}
	}
	queue, waiting := make([]int32, n), make([]bool, n)
	for i := range queue {
		queue[i], waiting[i] = int32(i), true
	}
	l := newLinks(n)
	for head, count := 0, n; count > 0; head, count = (head+1)%n, count-1 {
		if count%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		i := queue[head]
		waiting[i] = false
		own, k := of[i], g.degree[i]
		for a := g.ptr[i]; a < g.ptr[i+1]; a++ {
			l.add(of[g.to[a]], g.weight[a])
		}
		total[own] -= k
		size[own]--
		stay := g.gain(l.weight[own], k, total[own])
		best, most := own, stay
		for _, c := range l.met {
			if v := g.gain(l.weight[c], k, total[c]); v > most || v == most && c < best && best != own {
				best, most = c, v
			}
		}
		l.clear()
		// If joining any community would lower the modularity, the node gets a community of its own.
		if most < 0 && size[own] > 0 {
			best, most = empty[len(empty)-1], 0
		}
		if most <= stay+float64(gained*k) {
			best = own
		}
		total[best] += k
		if size[best]++; size[best] == 1 && best != own {
			empty = empty[:len(empty)-1]
		}
		if best == own {
			continue
		}
		if size[own] == 0 {
			empty = append(empty, own)
		}
		of[i] = best
		for a := g.ptr[i]; a < g.ptr[i+1]; a++ {
			if j := g.to[a]; !waiting[j] && of[j] != best {
				waiting[j] = true
				queue[(head+count)%n] = j
				count++
			}
		}
	}
	return nil
}

// refine divides each community into well-connected parts. It joins single nodes to the part of
// largest gain.
func (g *network) refine(of []int32) (parts []int32, count int) {
	n := len(g.degree)
	whole := make([]float64, n) // degrees of the communities
	for i, c := range of {
		whole[c] += g.degree[i]
	}
	parts = make([]int32, n)
	total, cut, single := make([]float64, n), make([]float64, n), make([]bool, n)
	for i := range n {
		parts[i], total[i], single[i] = int32(i), g.degree[i], true
		for a := g.ptr[i]; a < g.ptr[i+1]; a++ {
			if of[g.to[a]] == of[i] {
				cut[i] += g.weight[a]
			}
		}
	}
	// A part is well connected if the weight of its edges to the rest of its community is at least
	// the resolution times the weight expected under the null model of modularity.
	well := func(p int32, c int32) bool {
		return g.gain(cut[p], total[p], whole[c]-total[p]) >= 0
	}
	l := newLinks(n)
	for i := range n {
		c, k := of[i], g.degree[i]
		if !single[i] || !well(int32(i), c) {
			continue
		}
		for a := g.ptr[i]; a < g.ptr[i+1]; a++ {
			if of[g.to[a]] == c {
				l.add(parts[g.to[a]], g.weight[a])
			}
		}
		best, most := int32(i), float64(gained*k)
		for _, p := range l.met {
			if v := g.gain(l.weight[p], k, total[p]); (v > most || v == most && p < best && best != int32(i)) && well(p, c) {
				best, most = p, v
			}
		}
		if best != int32(i) {
			cut[best] += cut[i] - 2*l.weight[best]
			total[best] += k
			parts[i] = best
			single[best] = false
		}
		l.clear()
	}
	return numbered(parts)
}

// aggregate returns the network whose nodes are the parts.
func (g *network) aggregate(parts []int32, count int) *network {
	first := make([]int, count+1) // index in members at which each part begins
	for _, p := range parts {
		first[p+1]++
	}
	for p := range count {
		first[p+1] += first[p]
	}
	members, next := make([]int32, len(parts)), append([]int(nil), first...)
	for i, p := range parts {
		members[next[p]] = int32(i)
		next[p]++
	}
	out := &network{ptr: make([]int, 1, count+1), degree: make([]float64, count), total: g.total, penalty: g.penalty}
	l := newLinks(count)
	for p := range count {
		for _, i := range members[first[p]:first[p+1]] {
			out.degree[p] += g.degree[i]
			for a := g.ptr[i]; a < g.ptr[i+1]; a++ {
				if q := parts[g.to[a]]; int(q) != p {
					l.add(q, g.weight[a])
				}
			}
		}
		for _, q := range l.met {
			out.to, out.weight = append(out.to, q), append(out.weight, l.weight[q])
		}
		l.clear()
		out.ptr = append(out.ptr, len(out.to))
	}
	return out
}

// summary returns the communities with their modularity.
func (g *network) summary(of []int32) *Communities {
	of, count := numbered(of)
	out := &Communities{Of: make([]int, len(of)), Count: count, Share: make([]float64, count)}
	total := make([]float64, count)
	for i, c := range of {
		out.Of[i] = int(c)
		total[c] += g.degree[i]
		for a := g.ptr[i]; a < g.ptr[i+1]; a++ {
			if of[g.to[a]] == c {
				out.Share[c] += g.weight[a]
			}
		}
	}
	for c := range out.Share {
		out.Share[c] = g.gain(out.Share[c], total[c], total[c]) / max(g.total, 1)
		out.Modularity += out.Share[c]
	}
	return out
}
