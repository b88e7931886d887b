package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// p0 is Zhang, Chow, Zhao, "Trace Ratio Optimization-Based Semi-Supervised Nonlinear
// Dimensionality Reduction for Marginal Manifold Visualization", IEEE TKDE 2012:
// Table 1, which scores clusterings of two-dimensional embeddings.
func p0() paper {
	var tables []table
	for _, s := range clusterSets {
		tables = append(tables, newTable(s.title(), s.measure, s.write))
	}
	return paper{key: "p0", tables: tables, title: "Zhang, Chow, Zhao, IEEE TKDE 2012 (S2LAE, S2LLE)", brief: p0Brief, protocol: p0Protocol, findings: p0Findings,
		missing: []string{"Table 1, blocks MIT CBCL and CMU PIE: we do not have these sets. The paper counts 1,428 images of its 11 persons of PIE, but these persons have 231."}}
}

var p0Brief = brief{
	claim: "S2LAE and S2LLE draw maps from pairs of samples that belong together (must-links) or do not (cannot-links). Of sixteen methods S2LAE gives the clearest clusters in two dimensions on every set; S2LLE is second, or comparable to LDA.",
	measured: "We ran both blocks of digits of Table 1, and four sets of faces instead of MIT CBCL and CMU PIE, which we do not have. " +
		"AC is the share of samples that k-means puts into the right cluster, a mean over the 30 best of 100 starts as in the paper.",
	counted: "sets on which S2LAE has the highest clustering accuracy (AC)",
	judge:   judgeClusters,
	reasons: []string{
		"Table 1 largely measures the labels that were given. S2LAE and S2LLE see all classes through their pairs, and samples connected by must-links almost coincide.",
		"S-Isomap also uses every label, as a distance. Here it is among the first three on all sets but Yale B. Its definition does not explain its place near the bottom of the paper's table.",
		"S2LLE reconstructs each sample from its must-linked neighbours. This keeps the samples of a class apart, and more so the more samples a class has. Reference values computed independently agree with ours, so the difference comes from something that the paper does not state.",
	},
}

var p0Protocol = []string{
	"Table 1: samples of each class are drawn at random, embedded in two dimensions with their labels visible, and clustered by k-means into as many clusters as there are classes, " +
		"from 100 random starts. AC and NMI (by the larger entropy) lie between 0 and 1; each is the mean of its 30 highest values, as in the paper. The true classes select these 30, so both scores are optimistic. " +
		"**Least inertia** is the run that a user who does not know the classes would take. Figures are means over draws with the seeds 1, 2, …; ± is the standard deviation over draws. The paper's third block is headed UMIST, but by its sizes it is MNIST.",
	"S2LAE and S2LLE have half of the pairs, ℓ = 0.5, μ = 0.001, and the paper's numbers of neighbours (a little less than the samples of a class; for S2LLE on digits the same number). MMP, SS-LLE and SS-LTSA have 40 labels per class, or four fifths " +
		"of small classes. The paper does not say which coordinates the last two were given; here they get those of LDA. The other methods have the paper's numbers of neighbours. Faces are first reduced to 95 % of their variance, for all methods.",
}

var p0Findings = []string{
	"**What the scores mean.** S2LAE and S2LLE see all labels through their pairs, and with μ = 0.001 the samples that must-links connect almost coincide. " +
		"So Table 1 largely scores the labels that were given. The notebook on marginal manifolds scores samples without labels.",
	"**Where the order differs.** S-Isomap gets every label too, as a distance, so its place near the bottom of the paper's table does not follow from its definition. On grey values up to 255 its width, the mean distance, makes d²/β so large that exp has to be cut off; the classes are then as far apart as the cut-off. " +
		"With SLLE, the samples of most classes have all their neighbours in their own class. Each such class becomes one point, and two coordinates lay these points out along the class means. S2LLE stays below the paper on digits: its reconstruction term keeps the samples of a class apart, and more so the more samples a class has. " +
		"Reference values computed independently for S2LLE agree with ours, so the difference comes from something that the paper does not state.",
}

// judgeClusters counts the sets on which S2LAE has the highest clustering accuracy (AC).
func judgeClusters(p *page, all []sheet) judgement {
	methods := [2]string{"S2LAE", "S2LLE"}
	var sets, published, first, front int
	var reached [2]int
	p.line("| samples | AC of S2LAE: paper | here | place of 16 | AC of S2LLE: paper | here | place of 16 | first here |\n|---|---|---|---|---|---|---|---|")
	for _, s := range clusterSets {
		for _, t := range sheetsTitled(all, s.title()) {
			sets++
			if s.published != nil {
				published++
			}
			scores := t.columnNumbers("AC", 0)
			best := 0
			for m, v := range scores {
				if v > scores[best] || math.IsNaN(scores[best]) {
					best = m
				}
			}
			line := "| " + s.name
			for k, name := range methods {
				row := t.row(name)
				own, paper := number(row[t.column("AC")], 0), row[t.column("AC published")]
				if math.IsNaN(own) {
					line += fmt.Sprintf(" | %s | fails | –", paper)
					continue
				}
				place := 1
				for _, v := range scores {
					if v > own {
						place++
					}
				}
				line += fmt.Sprintf(" | %s | %.4f | %d", paper, own, place)
				switch {
				case k == 0 && place == 1:
					first++
				case k == 1 && place <= 3:
					front++
				}
				if own >= number(paper, 0) {
					reached[k]++
				}
			}
			p.line("%s | %s |", line, t.rows[1+best][0])
		}
	}
	return judgement{first, sets, fmt.Sprintf("S2LAE has the highest AC on %d of %d sets, and S2LLE is among the first three on %d. Of %d published figures S2LAE reaches %d and S2LLE %d.",
		first, sets, front, published, reached[0], reached[1])}
}

// clusterSet is a block of Table 1.
type clusterSet struct {
	name      string
	data      func() *data.Data
	perClass  int // number of samples drawn from each class
	pairs     int // number of neighbours of S2LAE and S2LLE
	neighbors int // number of neighbours of the other methods
	face      bool
	published [][2]float64 // clustering accuracy (AC) and normalised mutual information (NMI) by method; nil if the paper reports none
}

var clusterSets = []clusterSet{
	{name: "MNIST, 150 per digit", data: datasets.MNIST, perClass: 150, pairs: 145, neighbors: 35, published: [][2]float64{
		{0.5297, 0.5398}, {0.5343, 0.5559}, {0.6915, 0.7102}, {0.6729, 0.7259}, {0.6280, 0.6472}, {0.6089, 0.6225}, {0.5848, 0.6330}, {0.6774, 0.7203},
		{0.5153, 0.5276}, {0.5125, 0.5146}, {0.6881, 0.7103}, {0.6768, 0.7116}, {0.5369, 0.5612}, {0.6785, 0.7226}, {0.8580, 0.8742}, {0.8072, 0.8432}}},
	{name: "USPS, 150 per digit", data: datasets.USPS11000, perClass: 150, pairs: 145, neighbors: 25, published: [][2]float64{
		{0.5227, 0.5351}, {0.8234, 0.8541}, {0.8179, 0.8350}, {0.6954, 0.7282}, {0.7062, 0.7651}, {0.5449, 0.5180}, {0.4388, 0.4164}, {0.6898, 0.7345},
		{0.5207, 0.5357}, {0.4208, 0.4580}, {0.6353, 0.7017}, {0.7115, 0.6892}, {0.4858, 0.5126}, {0.8129, 0.8575}, {0.8560, 0.9138}, {0.8110, 0.8739}}},
	{name: "UMIST, 19 of each of 20 persons", data: datasets.UMIST, perClass: 19, pairs: 17, neighbors: 7, face: true},
	{name: "ORL, 10 of each of 40 persons", data: datasets.ORL, perClass: 10, pairs: 9, neighbors: 6, face: true},
	{name: "Yale, 11 of each of 15 persons", data: datasets.Yale, perClass: 11, pairs: 10, neighbors: 6, face: true},
	{name: "Yale B, 50 of each of 38 persons", data: datasets.YaleB, perClass: 50, pairs: 45, neighbors: 10, face: true},
}

func (s clusterSet) title() string { return "Table 1, " + s.name }

// methods returns the sixteen methods of Table 1 in the order of the table.
func (s clusterSet) methods() []ssdrnb.Estimator {
	k := s.neighbors
	return []ssdrnb.Estimator{
		ssdrnb.PCA(), ssdrnb.LDA(), ssdrnb.MMP().Neighbors(k), ssdrnb.LAE().Neighbors(k), ssdrnb.LLE().Neighbors(k), ssdrnb.HLLE().Neighbors(k),
		ssdrnb.SLLE().Neighbors(k), ssdrnb.SSLLE().Neighbors(k), ssdrnb.Isomap().Neighbors(k).Disconnected(ssdrnb.Join), ssdrnb.SIsomap().Neighbors(k).Disconnected(ssdrnb.Join),
		ssdrnb.LTSA().Neighbors(k), ssdrnb.SSLTSA().Neighbors(k), ssdrnb.SSML().Neighbors(k), ssdrnb.SSDR(),
		ssdrnb.S2LAE().Neighbors(s.pairs).Proportion(0.5), ssdrnb.S2LLE().Neighbors(s.pairs).Proportion(0.5),
	}
}

// clustered is the measurement of a block of Table 1. Draws is 0 if the data are missing.
type clustered struct {
	Draws  int
	Scores []clusterScore // by method
}

// clusterScore contains the scores of a method, one per successful draw. Failure is the last error.
type clusterScore struct {
	AC, NMI           []float64 // means of the 30 highest values among the runs of k-means
	LeastAC, LeastNMI []float64 // values for the run of k-means with the smallest inertia
	Failure           string
}

func (s clusterSet) measure(ctx context.Context, b budget) (clustered, error) {
	base := s.data()
	if base.Err() != nil {
		return clustered{}, errMissing
	}
	methods := s.methods()
	out := clustered{Draws: min(b.Splits, 10), Scores: make([]clusterScore, len(methods))}
	for seed := range out.Draws {
		d := base.Seed(uint64(seed + 1)).Take(s.perClass)
		if s.face {
			d = d.PCA(0.95)
		}
		for m, e := range methods {
			if err := out.Scores[m].add(ctx, e, d, s.perClass); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

func (s clusterSet) write(p *page, of clustered) {
	if of.Draws == 0 {
		p.line("%s\n", lacking)
		return
	}
	methods := s.methods()
	p.line("| method | AC published | AC | NMI published | NMI | AC, NMI at least inertia |\n|---|---|---|---|---|---|")
	rank := make([]int, len(methods))
	for m, e := range methods {
		rank[m] = m
		ac, nmi := "–", "–"
		if s.published != nil {
			ac, nmi = fmt.Sprintf("%.4f", s.published[m][0]), fmt.Sprintf("%.4f", s.published[m][1])
		}
		score := of.Scores[m]
		if score.AC == nil {
			p.line("| %s | %s | fails: %s | %s | | |", e.Spec().Method().Name, ac, score.Failure, nmi)
			continue
		}
		p.line("| %s | %s | %s | %s | %s | %.3f, %.3f |", e.Spec().Method().Name, ac, spread(score.AC), nmi, spread(score.NMI), middle(score.LeastAC), middle(score.LeastNMI))
	}
	slices.SortStableFunc(rank, func(a, b int) int { return cmp.Compare(middle(of.Scores[b].AC), middle(of.Scores[a].AC)) })
	p.line("\nBy AC here: first %s, second %s, third %s. %s.\n", methods[rank[0]].Spec().Method().Name, methods[rank[1]].Spec().Method().Name, methods[rank[2]].Spec().Method().Name, nouns.Count(of.Draws, "draw"))
}

// add embeds d and appends its scores. An error of the method is stored rather than returned.
func (c *clusterScore) add(ctx context.Context, e ssdrnb.Estimator, d *data.Data, perClass int) error {
	switch e.Spec().Method().Name {
	case "MMP", "SS-LLE", "SS-LTSA":
		d = d.KeepLabels(min(40, max(1, perClass*4/5)))
	}
	m, err := e.FitContext(ctx, d)
	var s *metrics.ClusterScores
	if err == nil {
		s, err = metrics.ScoreClusters(ctx, m.Embedding(), d.Truth, 30, metrics.KMeansOptions{})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.Failure = err.Error()
		return nil
	}
	c.AC, c.NMI = append(c.AC, s.MeanByScore.AC), append(c.NMI, s.MeanByScore.NMI)
	c.LeastAC, c.LeastNMI = append(c.LeastAC, s.LeastInertia.AC), append(c.LeastNMI, s.LeastInertia.NMI)
	return nil
}

// middle returns the mean, or 0 if there are no values.
func middle(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(max(len(v), 1))
}

func spread(v []float64) string {
	p := percentOf(v)
	return fmt.Sprintf("%.4f ± %.3f", p.Mean, p.Std)
}
