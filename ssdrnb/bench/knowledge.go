package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Tables of Opinions, Suggest and Suspicions on random parts of data sets. Each part has its own
// labels. Predicted classes are compared with those of scikit-learn's LabelSpreading and
// SelfTraining for the same labels. Suggestions are compared with random labels, and with the
// suggestions of modAL and small-text. Suspicions, and the ranking by cleanlab, are compared with
// the labels that were deliberately made wrong. Hidden labels are used only for the scores.

// knownSets are the data sets of the tables, with the size of a part and the largest number of
// labels per class for which some labels stay hidden. Sets that are not part of the library are
// read from SSDRNB_DATA; the peer provides the breast cancer data.
var knownSets = []knownSet{
	{"digits", bundled(datasets.Digits), 800, 20},
	{"USPS", file("usps_9298", false), 800, 20},
	{"MNIST", file("mnist_70000", false), 1000, 20},
	{"MNIST, unequal", unequal, 891, 10},
	{"COIL-20", file("coil20_32x32", false), 1000, 20},
	{"UMIST", file("umist_32x32", false), 518, 10},
	{"ORL", file("orl_32x32", false), 360, 5},
	{"Yale B", file("yaleb_32x32", false), 800, 10},
	{"letters", file("letter_20000", false), 1000, 20},
	{"control", file("synthetic_control", false), 540, 20},
	{"oil", file("oil_1000", true), 700, 20},
	{"wine", bundled(func() *data.Data { return datasets.Wine().Standardize() }), 160, 20},
	{"cancer", breastCancer, 512, 20},
	{"iris", bundled(datasets.Iris), 135, 20},
}

type knownSet struct {
	name               string
	data               func(p *peer) *data.Data
	size, mostPerClass int
}

// wholeSets are entire data sets with their maximum number of label draws. A table whose field
// `whole` is true lists these sets below the mean over the parts.
var wholeSets = []struct {
	knownSet
	draws int
}{
	{knownSet{"USPS, all 9,298", file("usps_9298", false), 9298, 20}, 3},
	{knownSet{"COIL-100, all 7,200", file("coil100_32x32", false), 7200, 20}, 3},
	{knownSet{"MNIST, all 70,000", file("mnist_70000", false), 70000, 20}, 1},
}

func bundled(load func() *data.Data) func(*peer) *data.Data {
	return func(*peer) *data.Data { return load() }
}

func file(name string, standardize bool) func(*peer) *data.Data {
	return func(*peer) *data.Data {
		d, err := datasets.ReadNPZ(filepath.Join(os.Getenv("SSDRNB_DATA"), name+".npz"), datasets.NPZ{})
		if err != nil {
			return data.Failed(name, err)
		}
		if standardize {
			return d.Standardize()
		}
		return d
	}
}

// unequal is MNIST with class sizes from 2,500 down to 150 in a geometric sequence.
func unequal(p *peer) *data.Data {
	d := file("mnist_70000", false)(p)
	if d.Err() != nil {
		return d
	}
	var rows []int
	count := map[int]int{}
	for _, i := range rand.New(rand.NewPCG(1, 0)).Perm(d.Len()) {
		if l := d.Labels[i]; float64(count[l]) < math.Round(2500*math.Pow(0.06, float64(l)/9)) {
			count[l]++
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return d.Subset(rows)
}

// breastCancer is the standardised breast cancer data set of scikit-learn.
func breastCancer(p *peer) *data.Data {
	a, err := p.array("breast_cancer")
	if err != nil {
		return data.Failed("cancer", err)
	}
	n, columns := a.Dims()
	x, labels := mat.NewDense(n, columns-1, nil), make([]int, n)
	for i := range n {
		row := a.RawRowView(i)
		x.SetRow(i, row[:columns-1])
		labels[i] = int(row[columns-1])
	}
	return ssdrnb.NewData(x, labels).Standardize()
}

// partOf returns a random part of a data set. All its samples are labelled.
func partOf(d *data.Data, size, draw int) *data.Data {
	rows := rand.New(rand.NewPCG(1000+uint64(draw), 0)).Perm(d.Len())[:size]
	slices.Sort(rows)
	return d.Subset(rows)
}

// means collects numbers by name and formats their means.
type means map[string][]float64

func (m means) add(name string, v float64) {
	if !math.IsNaN(v) {
		m[name] = append(m[name], v)
	}
}

// mean returns the mean of the numbers with this name, or NaN if there are none.
func (m means) mean(name string) float64 {
	sum := 0.0
	for _, x := range m[name] {
		sum += x
	}
	return sum / float64(len(m[name]))
}

// cell formats the mean of the numbers with this name and its standard error.
func (m means) cell(name string) string {
	v, mean, square := m[name], m.mean(name), 0.0
	for _, x := range v {
		square += (x - mean) * (x - mean)
	}
	switch len(v) {
	case 0:
		return " – |"
	case 1:
		return fmt.Sprintf(" %.3f |", mean)
	}
	return fmt.Sprintf(" %.3f ± %.3f |", mean, math.Sqrt(square/float64(len(v)-1)/float64(len(v))))
}

// knowledgeTable describes one of the tables. `rate` computes the scores of one part of a data set
// and adds them to `into`, by column.
type knowledgeTable struct {
	name, title string
	columns     []string
	rate        func(p *peer, part *data.Data, most, draw int, into means) error
	whole       bool // also lists entire sets
}

var knowledgeTables = []knowledgeTable{
	{"opinions", "accuracy on hidden samples of Opinions, of LabelSpreading (LS; 7 neighbours, α = 0.9 and 0.2) and of SelfTraining (ST; logistic regression on 30 components, threshold 0.75), and expected calibration error of Opinions (ECE), by labels per class",
		[]string{"1", "LS .9, 1", "LS .2, 1", "ST, 1", "ECE, 1", "2", "LS .9, 2", "LS .2, 2", "ST, 2", "ECE, 2", "5", "LS .9, 5", "LS .2, 5", "ST, 5", "ECE, 5", "20", "LS .9, 20", "LS .2, 20", "ST, 20", "ECE, 20"}, rateOpinions, true},
	{"suggestions", "accuracy of Opinions on the other samples by the number of labels, chosen ten at a time: suggested, starting without labels; by modAL's margin (logistic regression on 30 components) and small-text's greedy coreset (30 components), starting from ten random labels; and twice as many random labels",
		[]string{"10", "20 random", "20", "margin, 20", "coreset, 20", "40 random", "50", "margin, 50", "coreset, 50", "100 random", "100", "margin, 100", "coreset, 100", "200 random"}, rateSuggestions, true},
	{"suspicions", "a tenth of the labels wrong: area under the ROC curve of the suspicion and of cleanlab's self-confidence (CL; five-fold logistic regression on 30 components), precision among as many labels as are wrong, by labels per class",
		[]string{"AUC, 5", "CL AUC, 5", "precision, 5", "CL precision, 5", "AUC, 10", "CL AUC, 10", "precision, 10", "CL precision, 10", "AUC, 20", "CL AUC, 20", "precision, 20", "CL precision, 20"}, rateSuspicions, true},
}

// knowledgeOf writes the tables for the sets whose name matches.
func knowledgeOf(p *peer, match *regexp.Regexp, draws int) (string, error) {
	var out strings.Builder
	say := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		fmt.Print(text)
		out.WriteString(text)
	}
	for _, t := range knowledgeTables {
		all, sets, heading := means{}, 0, false
		// rate writes the row of a set and returns its means, or nil if the set has no row.
		rate := func(set knownSet, draws int) (means, error) {
			name := fmt.Sprintf("Knowledge, %s, %s", t.name, set.name)
			if !match.MatchString(name) {
				return nil, nil
			}
			d := set.data(p)
			if err := d.Err(); err != nil {
				fmt.Fprintf(os.Stderr, "bench: %s is left out: %v\n", name, err)
				return nil, nil
			}
			if !heading {
				say("\nKnowledge, %s; %d draws ± standard error.\n\n| set | %s |\n|---|%s\n", t.title, draws, strings.Join(t.columns, " | "), strings.Repeat("---|", len(t.columns)))
				heading = true
			}
			here := means{}
			for draw := range draws {
				if err := t.rate(p, partOf(d, set.size, draw), set.mostPerClass, draw, here); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
			row := "| " + set.name + " |"
			for _, c := range t.columns {
				row += here.cell(c)
			}
			say("%s\n", row)
			return here, nil
		}
		for _, set := range knownSets {
			here, err := rate(set, draws)
			if err != nil {
				return "", err
			}
			if here != nil {
				sets++
				for _, c := range t.columns {
					all.add(c, here.mean(c))
				}
			}
		}
		if sets > 1 {
			row := "| **mean of sets** |"
			for _, c := range t.columns {
				if len(all[c]) == 0 {
					row += " – |"
					continue
				}
				row += fmt.Sprintf(" %.3f |", all.mean(c))
			}
			say("%s\n", row)
		}
		if !t.whole {
			continue
		}
		for _, set := range wholeSets {
			few := min(draws, set.draws)
			set.name += map[bool]string{true: ", 1 draw", false: fmt.Sprintf(", %d draws", few)}[few == 1]
			if _, err := rate(set.knownSet, few); err != nil {
				return "", err
			}
		}
	}
	return out.String(), nil
}

// rightOf returns the share of correct predictions among the unlabelled samples of d, the rows of
// these samples, and whether each prediction is correct.
func rightOf(d *data.Data, predicted []int) (share float64, rows []int, right []bool) {
	count := 0
	for i, l := range d.Labels {
		if l != data.Unlabelled {
			continue
		}
		rows, right = append(rows, i), append(right, predicted[i] == d.Truth[i])
		if predicted[i] == d.Truth[i] {
			count++
		}
	}
	return float64(count) / float64(len(rows)), rows, right
}

func rateOpinions(p *peer, part *data.Data, most, draw int, into means) error {
	var labelled []*data.Data
	var counts []int
	for _, perClass := range []int{1, 2, 5, 20} {
		d, ok := labelledPart(part, perClass, most, draw)
		if !ok {
			continue
		}
		labelled, counts = append(labelled, d), append(counts, perClass)
		o, err := ssdrnb.Opinions(context.Background(), d)
		if err != nil {
			return err
		}
		share, rows, right := rightOf(d, o.Predicted())
		doubt, confidence := o.Doubt(), make([]float64, len(rows))
		for k, i := range rows {
			confidence[k] = 1 - doubt[i]
		}
		_, expected, err := metrics.Calibration(confidence, right, 10)
		if err != nil {
			return err
		}
		into.add(fmt.Sprint(perClass), share)
		into.add(fmt.Sprintf("ECE, %d", perClass), expected)
	}
	labels := mat.NewDense(part.Len(), len(labelled), nil)
	for k, d := range labelled {
		for i, l := range d.Labels {
			labels.Set(i, k, float64(l))
		}
	}
	if err := p.load(map[string]*mat.Dense{"x": part.X, "labels": labels}); err != nil {
		return err
	}
	for _, theirs := range []struct {
		function string
		names    []string // for each column of labels, the peer's function returns one row per name
	}{{"label_spreading", []string{"LS .9", "LS .2"}}, {"self_training", []string{"ST"}}} {
		rows, err := p.array(theirs.function)
		if err != nil {
			return err
		}
		for k, d := range labelled {
			for j, name := range theirs.names {
				share, _, _ := rightOf(d, wholes(rows.RawRowView(k*len(theirs.names)+j)))
				into.add(fmt.Sprintf("%s, %d", name, counts[k]), share)
			}
		}
	}
	return nil
}

// column returns integers as a one-column matrix for a peer.
func column(v []int) *mat.Dense {
	m := mat.NewDense(len(v), 1, nil)
	for i, x := range v {
		m.Set(i, 0, float64(x))
	}
	return m
}

// wholes converts a peer's result to integers: classes or rows.
func wholes(v []float64) []int {
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
	}
	return out
}

// labelledPart returns a part with perClass labels per class. It returns false if perClass exceeds
// `most` or a class has too few samples.
func labelledPart(part *data.Data, perClass, most, draw int) (*data.Data, bool) {
	if perClass > most {
		return nil, false
	}
	d := part.KeepLabels(perClass).Seed(7000 + uint64(draw))
	return d, d.Err() == nil
}

func rateSuggestions(p *peer, part *data.Data, _, draw int, into means) error {
	truth, n := part.Labels, part.Len()
	accuracy := func(labels []int) (float64, error) {
		d := part.WithLabels(labels)
		d.Truth = truth
		o, err := ssdrnb.Opinions(context.Background(), d)
		if err != nil {
			return 0, err
		}
		share, _, _ := rightOf(d, o.Predicted())
		return share, nil
	}
	random := rand.New(rand.NewPCG(500+uint64(draw), 0)).Perm(n)
	series := ssdrnb.NewSeries(part)
	labels := slices.Repeat([]int{data.Unlabelled}, n)
	given := 0
	var counts []int
	for _, m := range []int{10, 20, 50, 100} {
		if 4*m <= n { // otherwise 2m random labels would leave fewer than half to predict
			counts = append(counts, m)
		}
	}
	peers, err := activePeers(p, part, random[:10], counts[len(counts)-1])
	if err != nil {
		return err
	}
	for _, m := range counts {
		for ; given < m; given += 10 {
			rows, err := series.Suggest(context.Background(), labels, 10)
			if err != nil {
				return err
			}
			for _, i := range rows {
				labels[i] = truth[i]
			}
		}
		ours, err := accuracy(labels)
		if err != nil {
			return err
		}
		into.add(fmt.Sprint(m), ours)
		for name, rows := range map[string][]int{fmt.Sprintf("%d random", 2*m): random[:2*m],
			fmt.Sprintf("margin, %d", m): peers[0][:m], fmt.Sprintf("coreset, %d", m): peers[1][:m]} {
			chosen := slices.Repeat([]int{data.Unlabelled}, n)
			for _, i := range rows {
				chosen[i] = truth[i]
			}
			theirs, err := accuracy(chosen)
			if err != nil {
				return err
			}
			into.add(name, theirs)
		}
	}
	return nil
}

// activePeers returns the rows selected by modAL's margin sampling and by small-text's coreset,
// `most` rows each. Both selections start from the rows in `start`, which come first in both lists.
func activePeers(p *peer, part *data.Data, start []int, most int) (rows [2][]int, err error) {
	if err := p.load(map[string]*mat.Dense{"x": part.X, "truth": column(part.Labels), "start": column(start), "most": column([]int{most})}); err != nil {
		return rows, err
	}
	m, err := p.array("active")
	if err != nil {
		return rows, err
	}
	return [2][]int{wholes(m.RawRowView(0)), wholes(m.RawRowView(1))}, nil
}

func rateSuspicions(p *peer, part *data.Data, most, draw int, into means) error {
	for _, perClass := range []int{5, 10, 20} {
		d, ok := labelledPart(part, perClass, most, draw)
		if !ok {
			continue
		}
		labels, classes := slices.Clone(d.Labels), d.Classes()
		given := order.Where(labels, func(l int) bool { return l != data.Unlabelled })
		r := rand.New(rand.NewPCG(9000+uint64(100*perClass+draw), 0))
		wrong := map[int]bool{}
		for _, k := range r.Perm(len(given))[:max(1, (len(given)+5)/10)] {
			i := given[k]
			at := slices.Index(classes, labels[i])
			labels[i] = classes[(at+1+r.IntN(len(classes)-1))%len(classes)]
			wrong[i] = true
		}
		table, err := ssdrnb.Suspicions(context.Background(), d.WithLabels(labels))
		if err != nil {
			return err
		}
		area, precision := found(ranks(table), wrong)
		into.add(fmt.Sprintf("AUC, %d", perClass), area)
		into.add(fmt.Sprintf("precision, %d", perClass), precision)
		if err := p.load(map[string]*mat.Dense{"x": d.X, "labels": column(labels)}); err != nil {
			return err
		}
		quality, err := p.array("label_quality")
		if err != nil {
			return err
		}
		var theirs []rank
		for _, s := range table.Labels { // both rankings check the same labels
			theirs = append(theirs, rank{s.Row, 1 - quality.At(0, s.Row)})
		}
		slices.SortStableFunc(theirs, func(a, b rank) int { return cmp.Compare(b.suspicion, a.suspicion) })
		area, precision = found(theirs, wrong)
		into.add(fmt.Sprintf("CL AUC, %d", perClass), area)
		into.add(fmt.Sprintf("CL precision, %d", perClass), precision)
	}
	return nil
}

// rank is a label with the value by which it is ranked. A label with a larger value is more
// suspicious.
type rank struct {
	row       int
	suspicion float64
}

// ranks returns the labels of a table with their ranking values.
func ranks(t *ssdrnb.SuspicionTable) []rank {
	out := make([]rank, len(t.Labels))
	for k, s := range t.Labels {
		out[k] = rank{s.Row, (s.Suspicion + s.Apart) / 2}
	}
	return out
}

// found rates a ranking of labels, most suspicious first. It returns the area under the ROC curve,
// in which a tie counts one half, and the share of wrong labels among the first w, where w is the
// total number of wrong labels. Without wrong labels both are NaN. Without correct labels the area
// is NaN.
func found(labels []rank, wrong map[int]bool) (area, precision float64) {
	bad, good, first := 0.0, 0.0, 0.0
	count := 0
	for _, s := range labels {
		if wrong[s.row] {
			count++
		}
	}
	for k := 0; k < len(labels); {
		equal := k
		var b, g float64
		for ; equal < len(labels) && labels[equal].suspicion == labels[k].suspicion; equal++ {
			if wrong[labels[equal].row] {
				b++
				if equal < count {
					first++
				}
			} else {
				g++
			}
		}
		area += g * (bad + b/2)
		bad, good, k = bad+b, good+g, equal
	}
	return area / (bad * good), first / bad
}
