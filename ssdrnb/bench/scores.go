package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Table that compares S2NE with umap-learn and openTSNE. Its scores are the share of hidden labels
// that equal the label of the nearest labelled sample in the embedding, trustworthiness, and the
// share of neighbours that are preserved. A cell is a data set and a number of labels per class.
// The peers' scores are kept in a file, so that a run can be continued.

// scoredSets are the data sets of the table. Sets that are not part of the library are read from
// SSDRNB_DATA or the cache.
var scoredSets = []struct {
	name string
	data func() *data.Data
	most int // largest number of labels per class for which some labels stay hidden
}{
	{"digits", datasets.Digits, 20},
	{"USPS", datasets.USPS, 20},
	{"COIL-20", datasets.COIL20, 20},
	{"UMIST", datasets.UMIST, 5},
	{"ORL", datasets.ORL, 5},
	{"Yale", datasets.Yale, 5},
	{"letters", letters, 20},
	{"MNIST", datasets.MNIST, 20},
}

var scoredLabels = []int{1, 2, 5, 20}

// letters returns the first 5,000 of UCI's 20,000 letters, which are in random order and include
// all 26 classes. They are read from letter_20000.npz in SSDRNB_DATA.
func letters() *data.Data {
	d := allLetters()
	if d.Err() != nil {
		return d
	}
	return d.Subset(first(5000))
}

func allLetters() *data.Data {
	d, err := datasets.ReadNPZ(filepath.Join(os.Getenv("SSDRNB_DATA"), "letter_20000.npz"), datasets.NPZ{})
	if err != nil {
		return data.Failed("letters", err)
	}
	return d
}

// entrant is a column of the table: one of our methods, or a function of peer.py.
type entrant struct {
	name string
	peer string
	// ours is fitted to the samples with a draw of labels. If pairs is positive, ours gets this
	// number of pairs instead of labels. The pairs are drawn from the true classes; half of them
	// are must-links.
	ours  ssdrnb.Estimator
	pairs int
	// labels is true if the labels affect the embedding.
	labels bool
}

var entrants = []entrant{
	{name: "S2NE", ours: ssdrnb.S2NE(), labels: true},
	{name: "`Caution(1)`", ours: ssdrnb.S2NE().Caution(1), labels: true},
	{name: "`Unfold(0)`", ours: ssdrnb.S2NE().Unfold(0), labels: true},
	{name: "S2NE, 100 pairs", ours: ssdrnb.S2NE(), pairs: 100},
	{name: "UMAP", ours: ssdrnb.UMAP()},
	{name: "umap-learn", peer: "umap_parallel"},
	{name: "umap-learn, seeded", peer: "umap_of_draw"},
	{name: "umap-learn, labels", peer: "umap_labels_parallel", labels: true},
	{name: "umap-learn, labels, seeded", peer: "umap_labels_of_draw", labels: true},
	{name: "openTSNE", peer: "tsne_of_draw"},
}

// score rates an embedding: the share of hidden labels that equal the label of the nearest labelled
// sample, trustworthiness with 5 neighbours, and the preserved share of the 15 nearest neighbours.
type score struct{ Hidden, Trust, Kept float64 }

// scores writes the table for the cells whose name matches. The argument `versions` holds the
// versions of the peers.
func scores(p *peer, versions string, match *regexp.Regexp, draws int, cache string) (string, error) {
	rating := &scoring{peer: p, versions: versions, known: map[string]score{}, file: cache, drawn: map[string]*mat.Dense{}}
	if err := rating.read(); err != nil {
		return "", err
	}
	var table strings.Builder
	var sum tally
	for _, set := range scoredSets {
		for _, labels := range scoredLabels {
			name := fmt.Sprintf("S2NE, %s, %d per class", set.name, labels)
			if labels > set.most || !match.MatchString(name) {
				continue
			}
			d := set.data()
			if err := d.Err(); err != nil {
				fmt.Fprintf(os.Stderr, "bench: %s is left out: %v\n", name, err)
				break
			}
			results := make([][]score, len(entrants))
			for draw := range draws {
				x := d.KeepLabels(labels).Seed(uint64(draw + 1))
				for k, e := range entrants {
					s, err := rating.rate(e, set.name, labels, draw+1, x)
					if err != nil {
						return "", fmt.Errorf("%s, %s: %w", name, e.name, err)
					}
					results[k] = append(results[k], s)
				}
			}
			if table.Len() == 0 {
				table.WriteString(scoreHeading())
				fmt.Print(table.String())
			}
			row := fmt.Sprintf("| %s, %d |", set.name, labels)
			for _, r := range results {
				row += " " + cell(r) + " |"
			}
			fmt.Println(row)
			table.WriteString(row + "\n")
			sum.add(results)
		}
	}
	if table.Len() == 0 {
		return "", nil
	}
	fmt.Print(sum.String())
	return table.String() + sum.String(), nil
}

func scoreHeading() string {
	s, line := "\n| set, labels per class |", "\n|---|"
	for _, e := range entrants {
		s, line = s+" "+e.name+" |", line+"---|"
	}
	return s + line + "\n"
}

type scoring struct {
	peer     *peer
	versions string
	// known holds the peers' scores by versions, set, labels per class, draw and function. It is
	// kept in a file.
	known map[string]score
	file  string
	// drawn caches embeddings that labels do not affect; see image.
	drawn map[string]*mat.Dense
}

// read reads the file of known scores, which need not exist.
func (s *scoring) read() error {
	raw, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &s.known)
	}
	if err != nil {
		return fmt.Errorf("the scores of the peers in %s: %w; delete the file to measure them again", s.file, err)
	}
	return nil
}

// keep adds a score to the file of known scores.
func (s *scoring) keep(key string, r score) error {
	s.known[key] = r
	raw, err := json.MarshalIndent(s.known, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o755); err != nil {
		return err
	}
	return files.WriteBytes(s.file, raw)
}

// large is the smallest number of samples for which an unsupervised embedding is computed only once
// for all draws, and trustworthiness is estimated from a part of the samples.
const large = 20000

// rate returns the score of an embedding. A peer's score is taken from the file if available.
func (s *scoring) rate(e entrant, set string, labels, draw int, x *data.Data) (score, error) {
	key := fmt.Sprintf("%s|%s|%d|%d|%s", s.versions, set, labels, draw, e.peer)
	if r, ok := s.known[key]; ok && e.peer != "" {
		return r, nil
	}
	y, err := s.image(e, set, draw, x)
	if err != nil {
		return score{}, err
	}
	r, err := rated(x, y)
	if err != nil || e.peer == "" {
		return r, err
	}
	return r, s.keep(key, r)
}

// image returns the entrant's embedding. If labels do not affect it, it is computed once for all
// numbers of labels. For a large set, an embedding without labels or pairs is also computed once
// for all draws.
func (s *scoring) image(e entrant, set string, draw int, x *data.Data) (*mat.Dense, error) {
	if e.labels {
		return s.draw(e, x)
	}
	key := set + "|" + e.name
	if x.Len() < large || e.pairs > 0 {
		key += fmt.Sprint("|", draw)
	}
	if y, ok := s.drawn[key]; ok {
		return y, nil
	}
	y, err := s.draw(e, x)
	if err == nil {
		s.drawn[key] = y
	}
	return y, err
}

// draw computes the entrant's embedding. The seed of the label draw is also the seed of the layout,
// because a single layout seed for all draws could favour one method by chance.
func (s *scoring) draw(e entrant, x *data.Data) (*mat.Dense, error) {
	seed := int(x.Draw().Seed)
	if e.peer != "" {
		labels := mat.NewDense(1, x.Len(), nil)
		for i, l := range x.Labels {
			labels.Set(0, i, float64(l))
		}
		if err := s.peer.load(map[string]*mat.Dense{"x": x.X, "labels": labels, "seed": mat.NewDense(1, 1, []float64{float64(seed)})}); err != nil {
			return nil, err
		}
		return s.peer.array(e.peer)
	}
	if e.pairs > 0 {
		pairs, err := data.DrawPairs(x.Truth, e.pairs/2, e.pairs-e.pairs/2, x.Draw().Seed)
		if err != nil {
			return nil, err
		}
		x = x.HideLabels().WithPairs(pairs)
	}
	m, err := e.ours.Spec().With("seed", seed).FitContext(context.Background(), x)
	if err != nil {
		return nil, err
	}
	return m.Embedding(), nil
}

// rated returns the score of the embedding y of x.
func rated(x *data.Data, y *mat.Dense) (score, error) {
	found, err := hiddenFound(x, y)
	if err != nil {
		return score{}, err
	}
	r := score{Hidden: found}
	if x.Len() >= large {
		r.Trust, r.Kept = estimated(x.X, y, 2000)
		return r, nil
	}
	kept, err := metrics.Kept(context.Background(), x.X, y)
	if err != nil {
		return score{}, err
	}
	r.Kept = kept.Share
	r.Trust, err = metrics.Trustworthiness(context.Background(), x.X, y, trustNear)
	return r, err
}

// hiddenFound returns the share of hidden labels that equal the label of the nearest labelled
// sample in y.
func hiddenFound(x *data.Data, y *mat.Dense) (float64, error) {
	var rows, labels []int
	for i, l := range x.Labels {
		if l >= 0 {
			rows, labels = append(rows, i), append(labels, l)
		}
	}
	_, d := y.Dims()
	known := mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		known.SetRow(k, y.RawRowView(i))
	}
	found, err := metrics.NearestNeighbor(known, labels, y)
	if err != nil {
		return 0, err
	}
	right, hidden := 0, 0
	for i, l := range x.Labels {
		if l >= 0 {
			continue
		}
		hidden++
		if found[i] == x.Truth[i] {
			right++
		}
	}
	return float64(right) / float64(hidden), nil
}

// Numbers of neighbours of trustworthiness and of the share of kept neighbours.
const trustNear, keptNear = 5, 15

// estimated estimates the trustworthiness and the share of kept neighbours from `count` random
// samples, whose neighbours are ranked among all samples. The exact values would take minutes per
// embedding of MNIST. Embeddings are compared on the same samples.
func estimated(x, y *mat.Dense, count int) (trust, kept float64) {
	n, _ := x.Dims()
	rows := rand.New(rand.NewPCG(7, 7)).Perm(n)[:count]
	normX, normY := norms(x), norms(y)
	excess, common := 0, 0
	const block = 50
	for lo := 0; lo < count; lo += block {
		some := rows[lo:min(lo+block, count)]
		inData, onMap := distances(x, normX, some), distances(y, normY, some)
		for r, i := range some {
			dx, dy := inData.RawRowView(r), onMap.RawRowView(r)
			dx[i], dy[i] = math.Inf(1), math.Inf(1)
			near, shown := nearest(dx, keptNear), nearest(dy, keptNear)
			for _, j := range shown {
				if slices.Contains(near, j) {
					common++
				}
			}
			for _, j := range shown[:trustNear] {
				rank := 1
				for _, d := range dx {
					if d < dx[j] {
						rank++
					}
				}
				excess += max(0, rank-trustNear)
			}
		}
	}
	trust = 1 - 2*float64(excess)/(float64(count*trustNear)*float64(2*n-3*trustNear-1))
	return trust, float64(common) / float64(count*keptNear)
}

// nearest returns the indices of the k smallest distances in ascending order.
func nearest(distance []float64, k int) []int {
	order := make([]int, 0, k+1)
	for j, d := range distance {
		at := len(order)
		for at > 0 && d < distance[order[at-1]] {
			at--
		}
		if at < k {
			order = slices.Insert(order, at, j)
			order = order[:min(len(order), k)]
		}
	}
	return order
}

// norms returns the squared norms of the rows of x.
func norms(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	norm := make([]float64, n)
	for j := range norm {
		norm[j] = floats.Dot(x.RawRowView(j), x.RawRowView(j))
	}
	return norm
}

// distances returns the squared distances from the given rows of x to all rows.
func distances(x *mat.Dense, norm []float64, rows []int) *mat.Dense {
	_, d := x.Dims()
	some := mat.NewDense(len(rows), d, nil)
	for r, i := range rows {
		some.SetRow(r, x.RawRowView(i))
	}
	var to mat.Dense
	to.Mul(some, x.T())
	for r, i := range rows {
		row := to.RawRowView(r)
		for j, v := range row {
			row[j] = norm[i] + norm[j] - 2*v
		}
	}
	return &to
}

// cell formats the means of the scores, and the standard error of the mean of Hidden.
func cell(r []score) string {
	mean, deviation := meanOf(r)
	return fmt.Sprintf("%.3f ± %.3f / %.3f / %.3f", mean.Hidden, deviation, mean.Trust, mean.Kept)
}

// meanOf returns the means of the scores, and the standard error of mean.Hidden.
func meanOf(r []score) (mean score, deviation float64) {
	n := float64(len(r))
	for _, s := range r {
		mean.Hidden += s.Hidden / n
		mean.Trust += s.Trust / n
		mean.Kept += s.Kept / n
	}
	for _, s := range r {
		deviation += (s.Hidden - mean.Hidden) * (s.Hidden - mean.Hidden)
	}
	return mean, math.Sqrt(deviation / max(1, n-1) / n)
}

// tally counts cells by how S2NE compares with the peers.
type tally struct {
	cells int
	// ahead counts cells in which S2NE finds more hidden labels than every peer. behind counts
	// cells in which a peer finds more hidden labels than S2NE, and the mean difference exceeds its
	// standard error. pairs counts cells in which S2NE with pairs finds more hidden labels than
	// every peer without labels.
	ahead, behind, pairs int
	// trusted counts cells in which S2NE has a higher trustworthiness than every variant of
	// umap-learn. kept counts cells in which S2NE preserves more neighbours than all of these
	// variants. cautious is like kept, but for S2NE with Caution(1).
	trusted, kept, cautious int
}

func (t *tally) add(results [][]score) {
	column := func(name string) []score {
		return results[slices.IndexFunc(entrants, func(e entrant) bool { return e.name == name })]
	}
	ours, _ := meanOf(column("S2NE"))
	pairs, _ := meanOf(column("S2NE, 100 pairs"))
	careful, _ := meanOf(column("`Caution(1)`"))
	ahead, behind, paired, trusted, kept, cautious := true, false, true, true, true, true
	for k, e := range entrants {
		if e.peer == "" {
			continue
		}
		theirs, _ := meanOf(results[k])
		ahead = ahead && ours.Hidden > theirs.Hidden
		behind = behind || clearlyBehind(column("S2NE"), results[k])
		paired = paired && (e.labels || pairs.Hidden > theirs.Hidden)
		if strings.HasPrefix(e.name, "umap-learn") {
			trusted = trusted && ours.Trust > theirs.Trust
			kept = kept && ours.Kept > theirs.Kept
			cautious = cautious && careful.Kept > theirs.Kept
		}
	}
	t.cells++
	for _, c := range []struct {
		yes   bool
		count *int
	}{{ahead, &t.ahead}, {behind, &t.behind}, {paired, &t.pairs}, {trusted, &t.trusted}, {kept, &t.kept}, {cautious, &t.cautious}} {
		if c.yes {
			*c.count++
		}
	}
}

// clearlyBehind reports whether our method finds fewer hidden labels than theirs in the same draws,
// by a mean difference that exceeds its standard error.
func clearlyBehind(ours, theirs []score) bool {
	difference := make([]score, len(ours))
	for i, s := range theirs {
		difference[i].Hidden = s.Hidden - ours[i].Hidden
	}
	mean, deviation := meanOf(difference)
	return mean.Hidden > deviation
}

func (t tally) String() string {
	return fmt.Sprintf("\nCells have the share of hidden labels that equal the label of the nearest labelled sample ± its standard error / trustworthiness with 5 neighbours / share of 15 neighbours kept. Of %d cells S2NE finds more hidden labels than every peer in %d, and in %d a peer finds more by more than a standard error of the differences; with pairs alone it finds more than every peer without labels in %d. Beside the columns of umap-learn it is more trustworthy in %d and keeps more neighbours in %d, with `Caution(1)` in %d.\n",
		t.cells, t.ahead, t.behind, t.pairs, t.trusted, t.kept, t.cautious)
}
