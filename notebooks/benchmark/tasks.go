package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Each task is named after the kind of its known values.
const (
	byLabels = "labels"
	byPairs  = "pairs"
	byTarget = "target"
)

// amount is the kind and the number of known values.
type amount struct {
	task string
	n    int // labels per class, number of pairs, or number of target values
}

// amounts lists the amounts in the order in which they are measured.
var amounts = []amount{{byLabels, 5}, {byLabels, 1}, {byLabels, 20}, {byPairs, 20}, {byTarget, 20}, {byLabels, 2}, {byLabels, 10}, {byPairs, 100}, {byTarget, 100}}

// draw returns the training samples and the test samples of a draw: 70 % and 30 % of each class, or
// of all samples if there are no classes. The known values of the training samples are a.n labels
// per class, a.n pairs (half must-links, half cannot-links) or a.n target values. draw returns nil
// if the set does not suit the task or is too small.
func (s set) draw(d *data.Data, a amount, draw int) (train, test *data.Data) {
	if (a.task == byTarget) != s.target {
		return nil, nil
	}
	if d.Len() > s.most {
		rows := rand.New(rand.NewPCG(uint64(draw), 47)).Perm(d.Len())[:s.most]
		slices.Sort(rows)
		d = d.Subset(rows)
	}
	train, test = d.Seed(uint64(draw)).Split(0.7)
	if train.Err() != nil {
		return nil, nil
	}
	switch a.task {
	case byLabels:
		train = train.KeepLabels(a.n)
		// Without hidden labels, nothing can be rated.
		if train.Err() != nil || train.NumLabelled() >= train.Len() {
			return nil, nil
		}
	case byPairs:
		pairs, err := data.DrawPairs(train.Truth, a.n/2, a.n-a.n/2, uint64(draw))
		if err != nil {
			return nil, nil
		}
		train = train.HideLabels().WithPairs(pairs)
	case byTarget:
		train = train.KeepTarget(float64(a.n) / float64(train.Len()))
	}
	if train.Err() != nil {
		return nil, nil
	}
	return train, test
}

// known returns the training rows from which other rows are predicted, and hidden returns the rows
// whose predictions are rated. In the task with pairs, both functions return all rows, and each row
// is predicted from the others.
func (c cell) known() []int {
	switch c.task {
	case byPairs:
		rows := make([]int, c.train.Len())
		for i := range rows {
			rows[i] = i
		}
		return rows
	case byTarget:
		return finiteRows(c.train.Target().Values)
	}
	return labelledRows(c.train)
}

func (c cell) hidden() []int {
	switch c.task {
	case byPairs:
		return c.known()
	case byTarget:
		return finiteRows(c.train.HiddenTarget())
	}
	return hiddenRows(c.train)
}

func finiteRows(v []float64) (rows []int) {
	for i, x := range v {
		if !math.IsNaN(x) {
			rows = append(rows, i)
		}
	}
	return rows
}
