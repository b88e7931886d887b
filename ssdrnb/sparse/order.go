package sparse

import "fmt"

// minimumDegree chooses an elimination order that keeps the Cholesky factor of a symmetric matrix
// sparse. The result holds the pivots in this order. Only the sparsity pattern of m matters. The
// pattern must be symmetric; it includes stored zeros.
//
// The method is approximate minimum degree on the quotient graph (Amestoy, Davis, Duff 1996). An
// eliminated row becomes an element, which represents the clique that the row leaves behind.
// Indistinguishable rows are merged, and elements covered by another element are dropped. Rows with
// far more entries than the rest are eliminated last. Ties go to the row updated last, so the order
// depends on m alone.
//
// It returns [ErrFill] as soon as the elimination takes more operations than `limit`; 0 means no
// limit. The degrees are upper bounds, so the number of operations is overestimated.
func minimumDegree(m *CSR, limit float64) (*quotient, error) {
	if m.Rows != m.Cols {
		return nil, fmt.Errorf("%w: an elimination order needs a square matrix, not %d×%d", ErrShape, m.Rows, m.Cols)
	}
	q, flops := newQuotient(m), 0.0
	for q.done < q.n {
		p := q.next()
		members := q.gather(p)
		q.measure(members)
		members = q.update(p, members)
		q.merge(members)
		q.close(p, members)
		columns, size := float64(q.weight[p]), float64(q.degree[p])
		flops += columns * (size + columns) * (size + columns)
		if limit > 0 && flops > limit {
			return nil, fmt.Errorf("%w: the factor needs more than %.3g operations, but the limit is %.3g", ErrFill, flops, limit)
		}
	}
	q.closeHeavy()
	return q, nil
}

// gather returns the members of the new element p: the variables in the list of p, and those in the
// lists of the elements that it contains. As p covers these elements, they are dropped. gather also
// removes the members from the lists of their degrees.
func (q *quotient) gather(p int32) []int32 {
	q.now++
	q.clock[p] = q.now
	members := make([]int32, 0, q.degree[p])
	add := func(list []int32) {
		for _, i := range list {
			if q.kind[i] == variable && q.clock[i] != q.now {
				q.clock[i] = q.now
				members = append(members, i)
			}
		}
	}
	split := q.elements[p]
	for _, e := range q.list[p][:split] {
		if q.kind[e] == element {
			add(q.list[e])
			q.kind[e], q.list[e], q.parent[e] = gone, nil, p
		}
	}
	add(q.list[p][split:])
	for _, i := range members {
		q.unlink(i)
	}
	return members
}

// measure counts, for each element e in the list of a member, the rows of e outside the new
// element. The count is q.mark[e] − q.base.
func (q *quotient) measure(members []int32) {
	for _, i := range members {
		for _, e := range q.list[i][:q.elements[i]] {
			if q.kind[e] != element {
				continue
			}
			if q.mark[e] < q.base {
				q.mark[e] = q.base + int(q.degree[e])
			}
			q.mark[e] -= int(q.weight[i])
		}
	}
}

// update replaces, in the list of each member, the elements covered by p with p itself. It
// eliminates members without other neighbours together with p, and returns the remaining members.
func (q *quotient) update(p int32, members []int32) []int32 {
	kept := members[:0]
	for _, i := range members {
		list := q.list[i]
		size, degree, hash := 0, 0, uint(p)
		for _, e := range list[:q.elements[i]] {
			if q.kind[e] != element {
				continue
			}
			outside := q.mark[e] - q.base
			if outside == 0 { // covered by the new element
				q.kind[e], q.list[e], q.parent[e] = gone, nil, p
				continue
			}
			degree += outside
			hash += uint(e)
			list[size] = e
			size++
		}
		split := size
		for _, j := range list[q.elements[i]:] {
			if q.kind[j] == variable && q.clock[j] != q.now {
				degree += int(q.weight[j])
				hash += uint(j)
				list[size] = j
				size++
			}
		}
		if degree == 0 {
			q.join(p, i)
			continue
		}
		// At least one entry was covered, so p fits into the list.
		list = list[:size+1]
		list[size], list[split] = list[split], p
		q.list[i], q.elements[i] = list, int32(split+1)
		q.degree[i] = min(q.degree[i], int32(degree))
		q.keys[i] = int32(hash % uint(q.n))
		kept = append(kept, i)
	}
	q.base += q.n + 1
	return kept
}

// merge joins members that have equal adjacency lists into one variable, because their rows can be
// eliminated together.
func (q *quotient) merge(members []int32) {
	q.buckets = q.buckets[:0]
	for _, i := range members {
		h := q.keys[i]
		if q.bucket[h] < 0 {
			q.buckets = append(q.buckets, h)
		}
		q.chain[i] = q.bucket[h]
		q.bucket[h] = i
	}
	for _, h := range q.buckets {
		for i := q.bucket[h]; i >= 0; i = q.chain[i] {
			if q.chain[i] < 0 {
				break
			}
			q.base++
			for _, e := range q.list[i] {
				q.mark[e] = q.base
			}
			previous := i
			for j := q.chain[i]; j >= 0; j = q.chain[j] {
				if q.sameList(i, j) {
					q.join(i, j)
					q.chain[previous] = q.chain[j]
				} else {
					previous = j
				}
			}
		}
		q.bucket[h] = -1
	}
	q.base++
}

// close turns p into an element and adds its members to the lists of their new degrees.
func (q *quotient) close(p int32, members []int32) {
	q.done += int(q.weight[p])
	size := int32(0)
	kept := members[:0]
	for _, i := range members {
		if q.kind[i] == variable {
			size += q.weight[i]
			kept = append(kept, i)
		}
	}
	for _, i := range kept {
		q.degree[i] = min(q.degree[i]+size-q.weight[i], int32(q.n-q.done)-q.weight[i])
		q.link(i)
	}
	q.kind[p], q.list[p], q.degree[p] = element, kept, size
	q.pivots = append(q.pivots, p)
}
