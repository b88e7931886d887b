package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// p3 is Zhao, Zhang, Chow, "Trace ratio criterion based generalized discriminative
// learning for semi-supervised dimensionality reduction", Pattern Recognition 2012:
// Tables 6 to 10 and Fig. 15.
func p3() paper {
	p := paper{
		key: "p3", title: "Zhao, Zhang, Chow, Pattern Recognition 2012 (TR-SDA)",
		protocol: p3Protocol,
		experiments: []experiment{
			{title: "Table 6, UMIST", dims: []int{3, 5, 7, 8, 9, 10, 11, 13, 15, 17, 19, 22, 25, 28, 32, 36, 40}, coarse: []int{5, 8, 10, 13, 19, 25, 40}, rows: p3Rows(0.1, 1),
				note:    "The set at hand has 575 images where the paper has 564: it lacks the paper's crop, and ten rows are copies of others.",
				columns: p3Columns(datasets.UMIST, perClass(15, 0), []int{4, 7, 10}, p3UMIST)},
			{title: "Table 7, ORL", dims: []int{10, 20, 25, 30, 33, 36, 38, 39, 40, 45, 50, 55, 60, 65, 70}, coarse: []int{10, 20, 30, 39, 50, 70}, rows: p3Rows(0.1, 1),
				columns: p3Columns(datasets.ORL, perClass(8, 0), []int{2, 5, 8}, p3ORL)},
			{title: "Table 8, USPS", dims: digitDims, coarse: []int{5, 7, 9, 12, 16, 22, 28}, rows: p3Rows(0.1, 1),
				columns: p3Columns(datasets.USPS, perClass(100, 100), []int{20, 50, 80}, p3USPS)},
			{title: "Table 9, MNIST", dims: digitDims, coarse: []int{5, 7, 9, 12, 16, 22, 28}, rows: p3Rows(0.1, 1),
				note:    "Training samples come from the first 2,000 of the training part, test samples from the first 2,000 of the test part.",
				columns: p3Columns(firstDigits, digitParts, []int{20, 50, 80}, p3MNIST)},
			{title: "Table 10, COIL100", dims: []int{10, 15, 20, 25, 30, 35, 40, 60, 80, 120}, coarse: []int{15, 20, 30, 40, 60}, rows: p3Rows(0.01, 0.98),
				note: "The pictures at hand are all 7,200, but reduced to 32×32 by another filter than the paper's. " +
					"The literal trace-ratio methods keep 98 % of the variance here, and not all of it: at 1,024 dimensions they would take most of the time of this page.",
				columns: p3Columns(datasets.COIL100, perClass(20, 0), []int{4, 7, 10}, p3COIL)},
			{title: "Fig. 15, kernels", dims: []int{3}, coarse: []int{3}, rows: p3KernelRows(),
				note: "The figure prints no numbers. Training side 70 %, 30 % of it labelled, drawn within each class; RBF kernel, d = 3 (beyond c − 1 = 2 for three classes: " +
					"LDA, SDA, CCA, KLDA and KSDA then have 2).",
				columns: p3KernelColumns()},
		},
		missing: []string{"Table 11, AR: the owners of the AR faces do not allow copies to be passed on, and the set is not at hand."},
		subject: "TR-SDA", ranking: []string{"TR-SDA", "SDA", "LDA"},
		findings: p3Findings,
	}
	// MNIST and COIL100 take most of the time of this page, and have no part here.
	p.tables = []table{p3Defaults(slices.DeleteFunc(slices.Clone(p.experiments), func(e experiment) bool {
		return strings.HasPrefix(e.title, "Table 9") || strings.HasPrefix(e.title, "Table 10")
	}))}
	return p
}

var p3Protocol = []string{
	"Each split draws training and test samples, and labels among the training samples, anew; all methods see the same splits, seeds 1, 2, …. " +
		"Unsupervised methods fit to all training samples, supervised ones to the labelled, semi-supervised ones to all. " +
		"Test samples get the class of the nearest labelled training sample in the reduced space. The figure is the mean over splits in the dimension that is best " +
		"on the test samples (in parentheses), as in the paper; that is optimistic. Not every dimension is tried, but all about those that the paper lists. The paper prints “Var (%)” without defining it; it stands behind ±. Ours is the standard deviation over splits.",
	"**Literal** settings are what the paper prints: PCA drops the null space only, k = 8, σ half the median distance, λ_m 0.1 μ₀ (0.01 μ₀ on COIL100); " +
		"the ridge, which it does not print, is 1e-3·tr(S_w)/D. Library defaults hold where the paper says nothing.",
	"**Tuned**: every method that has options gets a grid of 24 settings (MMC, with one option, 6; PCA has none). Half of the training labels " +
		"are hidden (with two labels per class one label in every other class), each setting is fitted to the others and scored on the hidden ones, and the setting with the best mean is taken, one per cell. " +
		"Neither test samples nor the classes of unlabelled ones are read for this. It is done on the first few of the same splits, so that a label known in one split may belong to a test sample of another. " +
		"**Blind** is the tuned setting in the dimension that validation chose as well: the figure to expect on new data.",
}

// digitDims are those of Tables 8 and 9.
var digitDims = []int{3, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 26, 27, 28, 29, 30}

type division = func(*data.Data) (train, test *data.Data)

func perClass(train, test int) division {
	return func(d *data.Data) (*data.Data, *data.Data) { return d.SplitPerClass(train, test) }
}

func p3Columns(set func() *data.Data, divide division, labels []int, published [3][]figure) []column {
	columns := make([]column, len(labels))
	for k, n := range labels {
		hide := 0.5
		if n == 2 {
			hide = 0.25 // half of two would leave no scatter within the classes
		}
		columns[k] = column{
			name: count(n, "label") + " per class", data: func() *data.Data { return set().KeepLabels(n) },
			divide: divide, hide: hide, published: published[k],
		}
	}
	return columns
}

const digitPart = 2000

// firstDigits returns the first 2,000 samples of each part of MNIST.
func firstDigits() *data.Data {
	d := datasets.MNIST()
	return d.Subset(append(span(0, digitPart), span(60000, 60000+digitPart)...))
}

// digitParts draws 100 per digit from either part.
func digitParts(d *data.Data) (train, test *data.Data) {
	train, _ = d.Subset(span(0, digitPart)).SplitPerClass(100, 0)
	return train, d.Subset(span(digitPart, 2*digitPart)).HideLabels().Take(100)
}

func span(from, to int) []int {
	rows := make([]int, to-from)
	for i := range rows {
		rows[i] = from + i
	}
	return rows
}

// p3Rows returns the methods of the tables; manifold is λ_m/μ₀, and whole the share
// of the variance that the trace-ratio methods keep literally.
func p3Rows(manifold, whole float64) []row {
	shares := option{"pca", []any{0.75, 0.8, 0.85, 0.9, 0.95, 0.98}}
	three := option{"pca", []any{0.8, 0.9, 0.98}}
	ridges := option{"ridge scale", []any{0.1, 0.01, 1.0, 10.0}}
	weights := option{"manifold", []any{0.1, 0.01}}
	return []row{
		{ssdrnb.PCA().Spec(), settings(ssdrnb.PCA())},
		{ssdrnb.LPP().Spec(), settings(ssdrnb.LPP(), shares, option{"neighbors", []any{8, 3}}, option{"affinity", []any{ssdrnb.Heat, ssdrnb.Binary}})},
		{ssdrnb.MMC().Spec(), settings(ssdrnb.MMC(), shares)},
		{ssdrnb.CCA().Spec(), settings(ssdrnb.CCA(), shares, ridges)},
		{ssdrnb.LDA().Spec(), settings(ssdrnb.LDA(), shares, ridges)},
		{ssdrnb.SDA().Manifold(manifold).Spec(), settings(ssdrnb.SDA(), three, ridges, weights)},
		{ssdrnb.TRLDA().PCA(whole).RidgeScale(1e-3).Spec(), settings(ssdrnb.TRLDA(), shares, ridges)},
		{ssdrnb.TRSDA().PCA(whole).RidgeScale(1e-3).Manifold(manifold).Spec(), settings(ssdrnb.TRSDA(), three, ridges, weights)},
		// Not in the paper's tables, but among the methods that it discusses.
		{ssdrnb.SSMMC().Manifold(manifold).Spec(), settings(ssdrnb.SSMMC(), three, option{"spread", []any{1.0, 0.1, 3.0, 10.0}}, weights)},
		{ssdrnb.SSDR().Spec(), settings(ssdrnb.SSDR(), shares, option{"must", []any{20.0, 1.0, 5.0, 50.0}})},
	}
}

// p3KernelRows returns the methods of Fig. 15.
func p3KernelRows() []row {
	// The scale stays the median distance: what a kernel method can do with its
	// other options is the comparison with the linear one.
	cuts := option{"cut", []any{1e-3, 1e-2, 1e-1}}
	ridges := option{"ridge scale", []any{1.0, 0.01, 0.1, 10.0}}
	eight := option{"ridge scale", []any{1.0, 1e-3, 0.01, 0.03, 0.1, 0.3, 3.0, 10.0}}
	weights := option{"manifold", []any{1.0, 0.1}}
	return append(p3Rows(0.1, 1)[:8],
		row{ssdrnb.KLDA().Spec(), settings(ssdrnb.KLDA(), cuts, eight)},
		row{ssdrnb.KSDA().Manifold(0.1).Spec(), settings(ssdrnb.KSDA(), cuts, ridges, weights)},
		row{ssdrnb.TRKLDA().Spec(), settings(ssdrnb.TRKLDA(), cuts, eight)},
		row{ssdrnb.TRKSDA().Manifold(0.1).Spec(), settings(ssdrnb.TRKSDA(), cuts, ridges, weights)})
}

func p3KernelColumns() []column {
	var columns []column
	for _, set := range []struct {
		name string
		data func() *data.Data
	}{
		{"iris", datasets.Iris}, {"wine, standardised", func() *data.Data { return datasets.Wine().Standardize() }},
		{"balance", datasets.Balance}, {"control charts", controlCharts},
	} {
		columns = append(columns, column{name: set.name, data: set.data, hide: 0.5, divide: func(d *data.Data) (train, test *data.Data) {
			train, test = d.Split(0.7)
			return train.Validation(0.7), test // 30 % of the labels stay
		}})
	}
	return columns
}

// controlCharts returns the published charts where they are at hand, and else
// charts made by the same rules.
func controlCharts() *data.Data {
	if d, err := datasets.ReadNPZ(filepath.Join(os.Getenv("SSDRNB_DATA"), "synthetic_control.npz"), datasets.NPZ{}); err == nil {
		return d
	}
	return datasets.ControlCharts(1)
}

// The published figures, in the order PCA, LPP, MMC, CCA, LDA, SDA, TR-LDA, TR-SDA.
var (
	p3UMIST = [3][]figure{
		{{80.16, 0.97, 32}, {81.00, 0.84, 23}, {82.13, 0.83, 19}, {84.02, 0.68, 28}, {85.03, 0.71, 19}, {86.34, 0.74, 13}, {84.75, 0.67, 19}, {87.69, 0.53, 13}},
		{{88.34, 0.69, 35}, {89.09, 0.58, 19}, {89.54, 0.68, 19}, {90.15, 0.53, 24}, {90.47, 0.49, 19}, {91.71, 0.40, 13}, {91.42, 0.44, 18}, {92.92, 0.42, 19}},
		{{93.00, 0.65, 18}, {93.56, 0.49, 24}, {93.93, 0.53, 19}, {94.32, 0.51, 19}, {94.40, 0.53, 19}, {95.43, 0.50, 19}, {94.43, 0.48, 19}, {96.13, 0.51, 19}},
	}
	p3ORL = [3][]figure{
		{{71.00, 1.95, 69}, {80.37, 1.47, 41}, {74.00, 2.02, 34}, {81.12, 1.54, 60}, {81.62, 1.42, 39}, {82.37, 1.66, 39}, {81.62, 1.43, 39}, {82.50, 1.95, 39}},
		{{86.75, 3.02, 46}, {93.75, 2.69, 33}, {92.50, 3.52, 37}, {94.50, 2.79, 64}, {95.12, 2.52, 39}, {95.62, 3.49, 39}, {94.87, 2.75, 39}, {95.75, 2.99, 39}},
		{{93.12, 2.73, 61}, {96.87, 1.31, 58}, {96.50, 1.90, 39}, {97.37, 0.97, 65}, {97.37, 1.16, 39}, {97.87, 1.97, 39}, {97.50, 1.40, 39}, {98.00, 1.39, 38}},
	}
	p3USPS = [3][]figure{
		{{85.23, 0.27, 27}, {85.17, 0.29, 29}, {86.47, 0.46, 9}, {88.39, 0.37, 18}, {88.38, 0.38, 9}, {89.43, 0.40, 9}, {88.70, 0.43, 9}, {89.49, 0.61, 9}},
		{{90.94, 0.66, 26}, {90.74, 0.59, 30}, {91.60, 0.70, 9}, {92.07, 0.65, 29}, {92.07, 0.68, 9}, {93.08, 0.93, 9}, {91.70, 0.52, 9}, {93.57, 0.67, 9}},
		{{92.98, 0.29, 27}, {92.45, 0.46, 27}, {93.32, 0.26, 9}, {93.64, 0.32, 29}, {93.64, 0.34, 8}, {94.33, 0.35, 8}, {93.28, 0.40, 9}, {94.41, 0.38, 9}},
	}
	p3MNIST = [3][]figure{
		{{85.04, 0.83, 24}, {80.64, 0.86, 27}, {87.12, 0.97, 9}, {86.84, 1.07, 10}, {86.84, 0.85, 9}, {88.04, 1.33, 9}, {87.47, 0.86, 9}, {88.46, 1.09, 9}},
		{{89.70, 1.36, 21}, {84.50, 1.30, 29}, {90.71, 1.44, 9}, {90.76, 1.42, 10}, {90.76, 1.30, 9}, {91.51, 1.36, 9}, {90.49, 1.66, 9}, {91.44, 1.56, 9}},
		{{91.21, 0.60, 28}, {87.46, 1.11, 29}, {92.10, 0.60, 9}, {92.42, 0.61, 17}, {92.42, 0.60, 9}, {92.92, 0.58, 9}, {92.14, 0.90, 9}, {93.33, 0.88, 9}},
	}
	p3COIL = [3][]figure{
		{{71.51, 1.29, 120}, {69.18, 0.90, 30}, {72.38, 1.18, 30}, {59.21, 1.38, 30}, {59.21, 1.38, 30}, {60.95, 1.29, 35}, {76.37, 1.17, 20}, {77.85, 1.17, 20}},
		{{80.27, 0.96, 95}, {77.28, 0.77, 25}, {80.96, 0.80, 30}, {75.89, 1.26, 25}, {75.89, 1.26, 25}, {76.20, 0.77, 25}, {85.20, 0.77, 30}, {86.30, 0.77, 30}},
		{{84.74, 1.28, 85}, {82.54, 1.18, 35}, {85.87, 0.76, 35}, {83.17, 1.29, 30}, {83.17, 1.29, 30}, {83.27, 0.79, 35}, {89.87, 0.70, 30}, {90.98, 0.70, 30}},
	}
)

var p3Findings = []string{
	"What the printed spread is. Chance alone gives an accuracy of 85 to 94 % on 1,000 test samples (USPS, MNIST) a standard deviation of 1.1 to 0.7, " +
		"and one of 82 % on 80 test samples (ORL) one of 4.3. The printed 0.3 to 0.6 and 1.4 to 2.0 are less than that, so they are no standard deviations over splits. " +
		"“Within two published deviations” is therefore a strict measure. A mean over 20 splits has itself a standard error of σ/√20.",
	"What decides. The paper names neither the share of variance that PCA keeps before the trace ratio nor the ridge. Directions in which the samples barely vary cost the " +
		"denominator nothing and attract the ratio, the more so for TR-SDA, whose manifold term fills the null space of S_w that TR-LDA and LDA live on when labels are few. " +
		"With all directions kept TR-SDA falls far behind LDA; with 80 to 95 % of the variance and a ridge of 0.1 to 1 mean eigenvalues it reaches the level of the paper where the data allow it.",
	"The library's defaults follow a search over one setting for all sets (last table of this chapter): nine tenths of the variance, a ridge of 0.1 mean eigenvalues, λ_m 0.01 μ₀. " +
		"They are sound where one does not know more, and no more than that: each set has settings of its own that are a few points better.",
	"What no setting repairs. PCA and MMC have next to nothing to choose. PCA agrees with the paper on ORL, COIL100 and nearly on USPS, and is better on UMIST (another crop); but on MNIST it stays 6 to 11 points below, and so does MMC on " +
		"both sets of digits. What differs there is the data or the protocol, not the settings of TR-SDA. Tried beside the grid, on two to four splits: for TR-SDA and SDA on USPS graphs of 3 neighbours and manifold weights up to 100 μ₀; ridges up to 100 mean eigenvalues; " +
		"for PCA and MMC unit-norm samples and the set of 11,000 USPS digits, and on MNIST both parts pooled or one only. None came near the published figures. On USPS TR-SDA is at its best beyond c − 1 dimensions, close to all that PCA left, where it tends to PCA itself.",
}
