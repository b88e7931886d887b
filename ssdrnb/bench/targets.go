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
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Tables of numeric targets. The first compares predictions of hidden values from our embeddings,
// from those of umap-learn and scikit-learn's PLS, and by ridge regression. The second counts how
// often shuffled values have an effect, although they should have none. The third compares
// predictions from two graphs. The fourth compares rules for choosing the next value to measure.
// targetsets.py writes the data sets to the folder SSDRNB_TARGETS.

// targetSets lists the names of the data sets and their files. The rule for propagating targets was
// chosen on the first ten, or on similar sets.
var targetSets = []string{"boston", "cars", "caschool", "diabetes", "diamonds", "friedman1", "turned digits", "s-curve", "swiss roll", "wine",
	"computers", "housing", "friedman2", "friedman3", "cancer", "ink",
	"large swiss roll", "large wages", "large turned digits", "large computers", "large affairs", "large diamonds", "large visits"}

// partSize is the number of samples in a part of a data set. Large sets are used whole.
const partSize = 300

func targetSet(name string) *data.Data {
	d, err := datasets.ReadNPZ(filepath.Join(os.Getenv("SSDRNB_TARGETS"), name+".npz"), datasets.NPZ{X: "x", Target: "y"})
	if err != nil {
		return data.Failed(name, err)
	}
	return d
}

func isLarge(name string) bool { return strings.HasPrefix(name, "large") }

// targets writes the tables for the sets whose name matches.
func targets(p *peer, match *regexp.Regexp, draws int) (string, error) {
	var out strings.Builder
	say := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		fmt.Print(text)
		out.WriteString(text)
	}
	for _, t := range []struct {
		name, head string
		rows       func(d *data.Data, set string) ([]string, error)
	}{
		{"pictures", "\nNumeric targets: R² of hidden values by the 5 nearest known samples in the embedding / by the nearest / trustworthiness (10); for ridge regression R² of its prediction. Parts of 300 samples, large sets whole; %d draws, 5-NN ± standard error.\n\n| set, known | carried | S2NE | S2NE, no target | umap-learn, imputed, l2 | PLS | ridge |\n|---|---|---|---|---|---|---|\n",
			func(d *data.Data, set string) ([]string, error) { return ratePictures(p, d, set, draws) }},
		{"control", "\nShuffled targets, 200 draws of a set: the share with a strength above 0, and the mean strength; also with the graph of the specification (6 nearest in the data and 15 in a first layout). Not of %d draws.\n\n| set | 5 %% known | 10 %% | 20 %% | specification, 10 %% |\n|---|---|---|---|---|\n",
			func(d *data.Data, set string) ([]string, error) { return rateNoise(d, set) }},
		{"graphs", "\nCarried R² of hidden values by graph, %d draws: the cubed weights of 14 neighbours, as in S2NE, and the graph of the specification.\n\n| set | S2NE, 5 %% | specification, 5 %% | S2NE, 20 %% | specification, 20 %% |\n|---|---|---|---|---|\n",
			func(d *data.Data, set string) ([]string, error) { return rateGraphs(d, set, draws) }},
		{"suggestions", "\nCarried R² of hidden values by the number of measured samples, chosen ten at a time after 10 random ones; %d draws.\n\n| set | " + strings.Join(suggestionColumns(), " | ") + " |\n|---|" + strings.Repeat("---|", len(suggestionColumns())) + "\n",
			func(d *data.Data, set string) ([]string, error) { return rateMeasuring(d, draws) }},
	} {
		for _, set := range targetSets {
			name := fmt.Sprintf("targets, %s, %s", t.name, set)
			if !match.MatchString(name) {
				continue
			}
			d := targetSet(set)
			if err := d.Err(); err != nil {
				fmt.Fprintf(os.Stderr, "bench: %s is left out: %v\n", name, err)
				continue
			}
			rows, err := t.rows(d, set)
			if err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
			if t.head != "" {
				say(t.head, draws)
				t.head = ""
			}
			for _, row := range rows {
				say("| %s%s\n", set, row)
			}
		}
	}
	if name := "targets, time, MNIST"; match.MatchString(name) {
		text, err := timeOfTarget()
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		say("\n%s\n", text)
	}
	return out.String(), nil
}

// timeOfTarget compares fits to 70,000 digits with and without a target. The target is the ink of a
// digit, known for a tenth of the digits. It compares processor times, which other work hardly
// affects.
func timeOfTarget() (string, error) {
	d := file("mnist_70000", false)(nil)
	if err := d.Err(); err != nil {
		return "", err
	}
	ink := make([]float64, d.Len())
	for i := range ink {
		for _, v := range d.X.RawRowView(i) {
			ink[i] += v
		}
	}
	x := d.PCA(50).X
	// Negating the samples does not change their distances, but prevents each fit from reusing
	// cached results of the other.
	var turned mat.Dense
	turned.Scale(-1, x)
	sets := []*data.Data{data.New(x, nil), data.New(&turned, nil).WithTarget("ink", ink).KeepTarget(0.1)}
	var seconds [2]float64
	strength := 0.0
	for k, set := range sets {
		began := processorTime()
		m, err := ssdrnb.NewSeries(set).FitContext(context.Background(), ssdrnb.S2NE()) // without the disk cache
		if err != nil {
			return "", err
		}
		seconds[k] = processorTime() - began
		strength, _ = m.Report().Fact("target strength")
	}
	return fmt.Sprintf("S2NE of MNIST, 70,000 images in 50 principal components, takes %.0f s of processor time, and with a target (strength %.2f) %.0f s: a ratio of %.2f.", seconds[0], strength, seconds[1], seconds[1]/seconds[0]), nil
}

// samplesOf returns the samples of a draw: a random part, or the whole set if it is large or has at
// most partSize samples.
func samplesOf(d *data.Data, set string, draw int) *data.Data {
	if isLarge(set) || d.Len() <= partSize {
		return d
	}
	return partOf(d, partSize, draw)
}

// sharesOf returns the shares of known values for which a set is rated.
func sharesOf(set string) []float64 {
	if isLarge(set) {
		return []float64{0.1}
	}
	return []float64{0.05, 0.1, 0.2}
}

// ratePictures rates S2NE and its peers on the same known values.
func ratePictures(p *peer, d *data.Data, set string, draws int) ([]string, error) {
	var rows []string
	for _, share := range sharesOf(set) {
		got := means{}
		for draw := range draws {
			x := samplesOf(d, set, draw).KeepTarget(share).Seed(uint64(draw))
			truth, known := x.Target().All(), x.Target().Known()
			is := make([]bool, x.Len())
			seen := mat.NewDense(x.Len(), 1, slices.Clone(x.Target().Values))
			for _, i := range known {
				is[i] = true
			}
			model, err := ssdrnb.S2NE().FitContext(context.Background(), x)
			if err != nil {
				return nil, err
			}
			plain, err := ssdrnb.S2NE().FitContext(context.Background(), data.New(x.X, nil))
			if err != nil {
				return nil, err
			}
			values, _, _ := model.Carried()
			got.add("carried", hiddenR2(truth, is, values))
			if err := p.load(map[string]*mat.Dense{"x": x.X, "seen": seen}); err != nil {
				return nil, err
			}
			embeddings := map[string]*mat.Dense{"S2NE": model.Embedding(), "plain": plain.Embedding()}
			for name, line := range map[string]string{"umap": "umap_imputed", "pls": "pls_target"} {
				if embeddings[name], err = p.array(line); err != nil {
					return nil, err
				}
			}
			ridge, err := p.array("ridge_target")
			if err != nil {
				return nil, err
			}
			got.add("ridge", hiddenR2(truth, is, ridge.RawMatrix().Data))
			for name, y := range embeddings {
				for k, what := range map[int]string{5: " 5", 1: " 1"} {
					r2, err := metrics.TargetR2(y, truth, is, k)
					if err != nil {
						return nil, err
					}
					got.add(name+what, r2)
				}
				trust, err := trustOf(x.X, y, draw)
				if err != nil {
					return nil, err
				}
				got.add(name+" t", trust)
			}
		}
		row := fmt.Sprintf(", %.0f %% | %.2f |", 100*share, got.mean("carried"))
		for _, name := range []string{"S2NE", "plain", "umap", "pls"} {
			mean, spread := got.mean(name+" 5"), 0.0
			for _, v := range got[name+" 5"] {
				spread += (v - mean) * (v - mean)
			}
			row += fmt.Sprintf(" %.2f ± %.2f / %.2f / %.3f |", mean, math.Sqrt(spread/float64(max(1, draws-1))/float64(draws)), got.mean(name+" 1"), got.mean(name+" t"))
		}
		rows = append(rows, row+fmt.Sprintf(" %.2f |", got.mean("ridge")))
	}
	return rows, nil
}

// trustOf returns the trustworthiness with 10 neighbours, on at most 2,000 samples.
func trustOf(x, y *mat.Dense, draw int) (float64, error) {
	n, _ := x.Dims()
	if n > 2000 {
		rows := rand.New(rand.NewPCG(7, uint64(draw))).Perm(n)[:2000]
		x, y = pick(x, rows), pick(y, rows)
	}
	return metrics.Trustworthiness(context.Background(), x, y, 10)
}

func pick(x *mat.Dense, rows []int) *mat.Dense {
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		out.SetRow(k, x.RawRowView(i))
	}
	return out
}

// hiddenR2 returns the R² of values over the samples with an unknown target, or NaN if it is
// undefined.
func hiddenR2(truth []float64, known []bool, values []float64) float64 {
	var t, v []float64
	for i, is := range known {
		if !is {
			t, v = append(t, truth[i]), append(v, values[i])
		}
	}
	r2, err := metrics.RSquared(t, v)
	if err != nil {
		return math.NaN()
	}
	return r2
}

// graphOf returns the graph along which S2NE propagates targets. If `specified` is true, it returns
// an alternative, which the tables call the graph of the specification: the mean of the graphs of
// the 6 nearest neighbours in the data and of the 15 nearest in a first layout.
func graphOf(x *mat.Dense, specified bool) (*sparse.CSR, error) {
	ctx := context.Background()
	fuzzy := func(x *mat.Dense, k int) (*sparse.CSR, error) {
		nb, err := graph.Search(ctx, x, k, graph.SearchOptions{})
		if err != nil {
			return nil, err
		}
		w, err := embed.Fuzzy(nb, embed.PlainFuzzy)
		if err != nil {
			return nil, err
		}
		return w.W, nil
	}
	if !specified {
		w, err := fuzzy(x, 14)
		if err != nil {
			return nil, err
		}
		return walks.Sharpened(w, 3), nil
	}
	near, err := fuzzy(x, 6)
	if err != nil {
		return nil, err
	}
	first, err := ssdrnb.UMAP().FitContext(ctx, data.New(x, nil))
	if err != nil {
		return nil, err
	}
	drawn, err := fuzzy(first.Embedding(), 15)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	var edges []sparse.Triplet
	for _, w := range []*sparse.CSR{near, drawn} {
		for i := range n {
			cols, values := w.Row(i)
			for e, j := range cols {
				edges = append(edges, sparse.Triplet{Row: i, Col: int(j), Value: values[e] / 2})
			}
		}
	}
	return sparse.FromTriplets(n, n, edges)
}

func carryOn(w *sparse.CSR, x *mat.Dense, rows []int, values []float64) (*guide.CarriedTarget, error) {
	t := guide.Target{Rows: rows}
	for _, i := range rows {
		t.Values = append(t.Values, values[i])
	}
	return guide.CarryTarget(context.Background(), w, x, t, 0)
}

// shuffles is the number of shuffled targets per data set.
const shuffles = 200

// rateNoise counts the shuffled targets that would affect an embedding.
func rateNoise(d *data.Data, set string) ([]string, error) {
	rng := rand.New(rand.NewPCG(200, 46))
	var w, specified *sparse.CSR
	row := " |"
	parts := 10
	if isLarge(set) {
		parts = 1
	}
	counts, strengths := make([]int, 4), make([]float64, 4)
	shares := []float64{0.05, 0.1, 0.2, 0.1}
	for part := range parts {
		x := samplesOf(d, set, part)
		n := x.Len()
		var err error
		if w, err = graphOf(x.X, false); err != nil {
			return nil, err
		}
		if specified, err = graphOf(x.X, true); err != nil {
			return nil, err
		}
		for range shuffles / parts {
			values := slices.Clone(x.Target().Values)
			rng.Shuffle(n, func(i, j int) { values[i], values[j] = values[j], values[i] })
			order := rng.Perm(n)
			for k, share := range shares {
				rows := slices.Sorted(slices.Values(order[:max(1, int(share*float64(n)+0.5))]))
				along := w
				if k == 3 {
					along = specified
				}
				c, err := carryOn(along, x.X, rows, values)
				if err != nil {
					return nil, err
				}
				if strengths[k] += c.Strength / shuffles; c.Strength > 0 {
					counts[k]++
				}
			}
		}
	}
	for k := range shares {
		row += fmt.Sprintf(" %.1f %%, %.3f |", 100*float64(counts[k])/shuffles, strengths[k])
	}
	return []string{row}, nil
}

// rateGraphs compares the values that are propagated along two graphs.
func rateGraphs(d *data.Data, set string, draws int) ([]string, error) {
	got := means{}
	for draw := range draws {
		x := samplesOf(d, set, draw)
		for _, specified := range []bool{false, true} {
			w, err := graphOf(x.X, specified)
			if err != nil {
				return nil, err
			}
			for _, share := range []float64{0.05, 0.2} {
				k := x.KeepTarget(share).Seed(uint64(draw)).Target()
				is := make([]bool, x.Len())
				for _, i := range k.Known() {
					is[i] = true
				}
				c, err := carryOn(w, x.X, k.Known(), k.All())
				if err != nil {
					return nil, err
				}
				got.add(fmt.Sprint(specified, share), hiddenR2(k.All(), is, c.Value()))
			}
		}
	}
	row := " |"
	for _, share := range []float64{0.05, 0.2} {
		for _, specified := range []bool{false, true} {
			row += got.cell(fmt.Sprint(specified, share))
		}
	}
	return []string{row}, nil
}

// measured lists the numbers of known values in the table of suggestions.
var measured = []int{20, 50}

// measuring lists the rules in the table. Each returns samples to measure next.
var measuring = []struct {
	name string
	next func(w *sparse.CSR, c *guide.CarriedTarget, known []bool, count int, rng *rand.Rand) ([]int, error)
}{
	{"random", func(_ *sparse.CSR, _ *guide.CarriedTarget, known []bool, count int, rng *rand.Rand) ([]int, error) {
		return best(known, count, func(int) float64 { return rng.Float64() }), nil
	}},
	{"variance", func(_ *sparse.CSR, c *guide.CarriedTarget, known []bool, count int, _ *rand.Rand) ([]int, error) {
		return best(known, count, func(i int) float64 { return c.Variance[i] }), nil
	}},
	{"suggested", func(w *sparse.CSR, _ *guide.CarriedTarget, known []bool, count int, _ *rand.Rand) ([]int, error) {
		return walks.Cover(context.Background(), w, known, count, 0)
	}},
}

func suggestionColumns() []string {
	var out []string
	for _, count := range measured {
		for _, m := range measuring {
			out = append(out, fmt.Sprintf("%s, %d", m.name, count))
		}
	}
	return out
}

// best returns the `count` unknown samples with the largest scores.
func best(known []bool, count int, score func(i int) float64) []int {
	var rows []int
	scores := make([]float64, len(known))
	for i, is := range known {
		if !is {
			rows = append(rows, i)
			scores[i] = score(i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return rows[:count]
}

// rateMeasuring compares rules for choosing the next samples to measure, on parts of the data set.
func rateMeasuring(d *data.Data, draws int) ([]string, error) {
	got := means{}
	for draw := range draws {
		x := samplesOf(d, "", draw)
		n := x.Len()
		w, err := graphOf(x.X, false)
		if err != nil {
			return nil, err
		}
		for r, rule := range measuring {
			rng := rand.New(rand.NewPCG(uint64(draw), uint64(r)))
			rows := slices.Sorted(slices.Values(rand.New(rand.NewPCG(uint64(draw), 99)).Perm(n)[:10]))
			for {
				c, err := carryOn(w, x.X, rows, x.Target().Values)
				if err != nil {
					return nil, err
				}
				is := make([]bool, n)
				for _, i := range rows {
					is[i] = true
				}
				if slices.Contains(measured, len(rows)) {
					got.add(fmt.Sprintf("%s, %d", rule.name, len(rows)), hiddenR2(x.Target().Values, is, c.Value()))
				}
				if len(rows) >= slices.Max(measured) {
					break
				}
				next, err := rule.next(w, c, is, 10, rng)
				if err != nil {
					return nil, err
				}
				rows = slices.Sorted(slices.Values(append(rows, next...)))
			}
		}
	}
	row := " |"
	for _, name := range suggestionColumns() {
		row += got.cell(name)
	}
	return []string{row}, nil
}
