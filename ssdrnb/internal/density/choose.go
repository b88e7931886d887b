package density

import (
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/disjoint"
)

// Pair is a must-link (Must is true) or a cannot-link between two samples.
type Pair struct {
	I, J int
	Must bool
}

// Knowledge holds class labels and pairs. A label is a class 0 … c−1, or −1 if unknown; Labels may
// be nil.
type Knowledge struct {
	Labels []int
	Pairs  []Pair
}

func (k Knowledge) empty() bool {
	return len(k.Pairs) == 0 && !slices.ContainsFunc(k.Labels, func(l int) bool { return l >= 0 })
}

// Choice is a selection of clusters from a tree.
type Choice struct {
	// Of is the cluster of each sample, or Noise. Clusters are numbered in the order of their first
	// sample.
	Of []int
	// Nodes[k] is the number that cluster k has in the tree.
	Nodes []int
	// Objective is the maximised value alpha·stability + (1 − alpha)·Satisfied, see [Tree.Choose].
	// Satisfied is the result of the function [Satisfied] for Of.
	Objective, Satisfied float64
}

// tie is the difference up to which two objectives count as equal.
const tie = 1e-12

// Choose selects the clusters with the largest alpha·stability + (1 − alpha)·satisfaction.
// Stability is the sum of the stabilities of the selected clusters, divided by the largest possible
// sum; satisfaction is the result of [Satisfied]. Both lie between 0 and 1. No selected cluster
// contains another, and the root is never selected. Without knowledge alpha is 1. If a cluster and
// a selection within it have equal objectives, the cluster is selected.
func (t *Tree) Choose(k Knowledge, alpha float64) Choice {
	m := len(t.Parent)
	if k.empty() {
		alpha = 1
	}
	inside, noise := t.satisfaction(k)
	greatest := make([]float64, m) // largest sum of stabilities within each cluster, ignoring knowledge
	for c := m - 1; c > 0; c-- {
		greatest[c] = max(greatest[c], t.Stability[c])
		greatest[t.Parent[c]] += greatest[c]
	}
	total := max(greatest[0], math.SmallestNonzeroFloat64)
	value, met := slices.Clone(noise), slices.Clone(noise)
	for c := range value {
		value[c] *= 1 - alpha
	}
	chosen := make([]bool, m)
	for c := m - 1; c > 0; c-- {
		own := alpha*t.Stability[c]/total + (1-alpha)*inside[c]
		if own >= value[c]-tie && own > 0 {
			chosen[c], value[c], met[c] = true, own, inside[c]
		}
		value[t.Parent[c]] += value[c]
		met[t.Parent[c]] += met[c]
	}
	under := make([]int, m) // the selected cluster that contains each cluster, or −1
	under[0] = Noise
	for c := 1; c < m; c++ {
		under[c] = under[t.Parent[c]]
		if under[c] == Noise && chosen[c] {
			under[c] = c
		}
	}
	of := make([]int, len(t.Of))
	for i, c := range t.Of {
		of[i] = under[c]
	}
	choice := Choice{Objective: value[0], Satisfied: met[0]}
	choice.Of, choice.Nodes = Numbered(of)
	return choice
}

// satisfaction returns the contributions of each cluster c to the result of [Satisfied]. inside[c]
// is the contribution of c if it is selected. noise[c] is the contribution of those samples of c
// that are in none of its children, if these samples are noise.
func (t *Tree) satisfaction(k Knowledge) (inside, noise []float64) {
	m := len(t.Parent)
	inside, noise = make([]float64, m), make([]float64, m)
	terms := 0.0
	classes := 0
	for _, l := range k.Labels {
		classes = max(classes, l+1)
	}
	if classes > 0 {
		count, of, all := make([]float64, m*classes), make([]float64, classes), 0.0
		for i, l := range k.Labels {
			if l >= 0 {
				count[t.Of[i]*classes+l]++
				of[l]++
				all++
			}
		}
		for i, l := range k.Labels {
			if l < 0 {
				continue
			}
			if of[l] > 1 {
				terms++
			}
			if all > of[l] {
				terms++
				noise[t.Of[i]]++
			}
		}
		for c := m - 1; c >= 0; c-- {
			own := count[c*classes : (c+1)*classes]
			here := 0.0
			for l, v := range own {
				here += v
				if c > 0 {
					count[t.Parent[c]*classes+l] += v
				}
			}
			for l, v := range own {
				if v > 0 && of[l] > 1 {
					inside[c] += v * (v - 1) / (of[l] - 1)
				}
				if v > 0 && all > of[l] {
					inside[c] += v * (1 - (here-v)/(all-of[l]))
				}
			}
		}
	}
	mark := slices.Repeat([]int{-1}, m)
	for p, pair := range k.Pairs {
		for c := t.Of[pair.J]; c >= 0; c = t.Parent[c] {
			mark[c] = p
		}
		for c := t.Of[pair.I]; c >= 0; c = t.Parent[c] {
			switch {
			case pair.Must && mark[c] == p:
				inside[c] += 2
			case !pair.Must && mark[c] != p:
				inside[c]++
			}
			if mark[c] == p {
				mark[c] = -2 - p // c contains both ends of the pair
			}
		}
		for c := t.Of[pair.J]; c >= 0; c = t.Parent[c] {
			if !pair.Must && mark[c] == p {
				inside[c]++
			}
		}
		if !pair.Must {
			noise[t.Of[pair.I]]++
			noise[t.Of[pair.J]]++
		}
		terms += 2
	}
	for c := range inside {
		inside[c] /= max(terms, 1)
		noise[c] /= max(terms, 1)
	}
	return inside, noise
}

// Satisfied returns the share of the knowledge that the clusters satisfy, or 0 without knowledge.
// It is the mean of up to two terms per labelled sample and two per pair, each in [0, 1]. The terms
// of a labelled sample are the share of the other samples of its class that are in its cluster, and
// the share of the samples of other classes that are not in it. Each end of a pair has a term. For
// a must-link, it is 1 if both ends are in one cluster. For a cannot-link, it is 1 if this end is
// noise or its cluster does not contain the other end. Otherwise it is 0.
func Satisfied(of []int, k Knowledge) float64 {
	flat := &Tree{Parent: []int{-1}, Of: make([]int, len(of))}
	for i, c := range of {
		for len(flat.Parent) < c+2 {
			flat.Parent = append(flat.Parent, 0)
		}
		flat.Of[i] = c + 1 // noise, −1, becomes the root, 0
	}
	inside, noise := flat.satisfaction(k)
	sum := noise[0]
	for _, v := range inside[1:] {
		sum += v
	}
	return sum
}

// Numbered renumbers clusters from 0 in the order of their first sample. was[k] is the previous
// number of cluster k.
func Numbered(of []int) (numbered, was []int) {
	numbered = make([]int, len(of))
	number := map[int]int{}
	for i, c := range of {
		if c < 0 {
			numbered[i] = Noise
			continue
		}
		if _, ok := number[c]; !ok {
			number[c] = len(was)
			was = append(was, c)
		}
		numbered[i] = number[c]
	}
	return numbered, was
}

// Attach returns a copy of the cluster numbers `of` in which each noise sample is assigned to a
// cluster. It adds the edges of the spanning tree in ascending order of weight. A noise sample gets
// the first cluster to which the edges connect it. edges must be sorted by weight.
func Attach(edges []Edge, of []int) []int {
	s, own := disjoint.New(len(of)), slices.Clone(of)
	for _, e := range edges {
		a, b := s.Find(e.I), s.Find(e.J)
		if a == b || own[a] >= 0 && own[b] >= 0 {
			continue
		}
		c := max(own[a], own[b])
		s.Union(a, b)
		own[min(a, b)] = c
	}
	out := make([]int, len(of))
	for i := range out {
		out[i] = own[s.Find(int32(i))]
	}
	return out
}
