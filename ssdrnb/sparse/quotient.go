package sparse

import "math"

// Kinds of nodes of the quotient graph.
const (
	variable = iota // a row, or several indistinguishable rows
	element         // an eliminated row, which represents a clique of variables
	gone            // a merged variable, a covered element, or a heavy row, which is eliminated last
)

// quotient is a quotient graph, which represents a matrix during elimination without storing the
// fill. list holds the neighbours of each node: the list of variable i has elements[i] elements,
// followed by variables, and the list of an element has only variables.
type quotient struct {
	n, done  int
	list     [][]int32
	elements []int32
	kind     []uint8
	weight   []int32 // number of rows that a variable represents
	degree   []int32 // upper bound on the number of rows adjacent to a variable; size of an element in rows

	// Variables of equal degree form a linked list. lowest is a lower bound on the degrees.
	head, successor, predecessor []int32
	lowest                       int

	// Rows merged into a variable form a linked list: follower holds the next row, or −1, and last
	// holds the end of the list. The rows of such a list are eliminated together.
	follower, last []int32
	pivots, heavy  []int32
	parent         []int32 // for each pivot, the later pivot whose element covers its element; −1 for none

	mark, clock   []int   // mark[e] − base is the number of rows of element e outside the new element
	base, now     int     // clock[i] = now marks the members of the new element
	bucket, chain []int32 // first variable in each bucket; next variable in the same bucket
	keys          []int32 // bucket of each variable of the new element: a hash of its list
	buckets       []int32 // buckets in use
}

func newQuotient(m *CSR) *quotient {
	n := m.Rows
	q := &quotient{n: n, list: make([][]int32, n), kind: make([]uint8, n), mark: make([]int, n), clock: make([]int, n), base: 1}
	for _, s := range []*[]int32{&q.elements, &q.weight, &q.degree, &q.successor, &q.predecessor, &q.follower, &q.last, &q.parent, &q.chain, &q.keys} {
		*s = make([]int32, n)
	}
	q.head, q.bucket = make([]int32, n+1), make([]int32, n)
	for i := range q.head {
		q.head[i] = -1
	}
	heavy := max(16, int(10*math.Sqrt(float64(n))))
	for i := range n {
		q.bucket[i], q.follower[i], q.last[i], q.weight[i], q.parent[i] = -1, -1, int32(i), 1, -1
		if m.RowPtr[i+1]-m.RowPtr[i] > heavy {
			q.heavy = append(q.heavy, int32(i))
		}
	}
	if len(q.heavy) > heavy { // too many to be treated separately
		q.heavy = nil
	}
	for _, i := range q.heavy {
		q.kind[i] = gone
	}
	q.done = len(q.heavy)
	copied := make([]int32, 0, m.NNZ())
	for i := range n {
		if q.kind[i] == gone {
			continue
		}
		start := len(copied)
		cols, _ := m.Row(i)
		for _, j := range cols {
			if int(j) != i && q.kind[j] != gone {
				copied = append(copied, j)
			}
		}
		q.list[i] = copied[start:len(copied):len(copied)]
		q.degree[i] = int32(len(q.list[i]))
	}
	for i := n - 1; i >= 0; i-- {
		if q.kind[i] != gone {
			q.link(int32(i))
		}
	}
	return q
}

// link adds a variable to the list of its degree; unlink removes it.
func (q *quotient) link(i int32) {
	d := q.degree[i]
	first := q.head[d]
	q.successor[i], q.predecessor[i] = first, -1
	if first >= 0 {
		q.predecessor[first] = i
	}
	q.head[d] = i
	q.lowest = min(q.lowest, int(d))
}

func (q *quotient) unlink(i int32) {
	if q.predecessor[i] >= 0 {
		q.successor[q.predecessor[i]] = q.successor[i]
	} else {
		q.head[q.degree[i]] = q.successor[i]
	}
	if q.successor[i] >= 0 {
		q.predecessor[q.successor[i]] = q.predecessor[i]
	}
}

// next removes and returns a variable of smallest degree.
func (q *quotient) next() int32 {
	for q.head[q.lowest] < 0 {
		q.lowest++
	}
	p := q.head[q.lowest]
	q.unlink(p)
	return p
}

// join appends the rows of j to the rows of i.
func (q *quotient) join(i, j int32) {
	q.follower[q.last[i]] = j
	q.last[i] = q.last[j]
	q.weight[i] += q.weight[j]
	q.kind[j], q.list[j] = gone, nil
}

// sameList reports whether j has the same list as i. The entries of i's list must be marked.
func (q *quotient) sameList(i, j int32) bool {
	if len(q.list[i]) != len(q.list[j]) || q.elements[i] != q.elements[j] {
		return false
	}
	for _, e := range q.list[j] {
		if q.mark[e] != q.base {
			return false
		}
	}
	return true
}

// closeHeavy eliminates the heavy rows last. Each heavy row counts as adjacent to all heavy rows
// after it.
func (q *quotient) closeHeavy() {
	if len(q.heavy) == 0 {
		return
	}
	for _, p := range q.pivots {
		if q.parent[p] < 0 {
			q.parent[p] = q.heavy[0]
		}
	}
	for k, p := range q.heavy {
		q.degree[p] = int32(len(q.heavy) - 1 - k)
		if k > 0 {
			q.parent[q.heavy[k-1]] = p
		}
	}
	q.pivots = append(q.pivots, q.heavy...)
}

// rows appends the rows eliminated with pivot p to `list`.
func (q *quotient) rows(p int32, list []int32) []int32 {
	for i := p; i >= 0; i = q.follower[i] {
		list = append(list, i)
	}
	return list
}
