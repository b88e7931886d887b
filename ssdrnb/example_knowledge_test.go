package ssdrnb_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// What a few labels reveal without an embedding.

// Five labels per digit predict the class of most other samples, with a confidence.
func ExampleOpinions() {
	digits := datasets.Digits().KeepLabels(5).Seed(1)
	opinions, err := ssdrnb.Opinions(context.Background(), digits)
	if err != nil {
		fmt.Println(err)
		return
	}
	right, hidden := 0, 0
	for i, class := range opinions.Predicted() {
		if digits.Labels[i] < 0 {
			hidden++
			if class == digits.Truth[i] {
				right++
			}
		}
	}
	fmt.Printf("%.2f of the hidden labels\n", float64(right)/float64(hidden))
	// Output: 0.97 of the hidden labels
}

// The samples to label first, before there are any labels.
func ExampleSuggest() {
	digits := datasets.Digits().HideLabels()
	rows, err := ssdrnb.Suggest(context.Background(), digits, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	classes := map[int]bool{}
	for _, i := range rows {
		classes[digits.Truth[i]] = true
	}
	fmt.Println(len(rows), "samples of at least eight classes:", len(classes) >= 8)
	// Output: 10 samples of at least eight classes: true
}

// A label that contradicts the others is found.
func ExampleSuspicions() {
	iris := datasets.Iris()
	labels := append([]int(nil), iris.Labels...)
	labels[3] = 2
	table, err := ssdrnb.Suspicions(context.Background(), iris.WithLabels(labels))
	if err != nil {
		fmt.Println(err)
		return
	}
	first := table.Labels[0]
	fmt.Printf("sample %d is labelled %s; its neighbourhood says %s\n", first.Row, iris.ClassName(first.Label), iris.ClassName(first.Proposed))
	// Output: sample 3 is labelled virginica; its neighbourhood says setosa
}

// A guided embedding has class probabilities, also for new rows.
func ExampleModel_Opinions() {
	digits := datasets.Digits().Take(40).KeepLabels(5).Seed(1)
	model := ssdrnb.S2NE().MustFit(digits)
	opinions, err := model.Opinions()
	if err != nil {
		fmt.Println(err)
		return
	}
	added, err := model.Probabilities(digits.Take(1).X)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, columns := added.Dims()
	fmt.Println(len(opinions.Classes()), "classes,", rows, "new rows of", columns, "probabilities")
	// Output: 10 classes, 10 new rows of 10 probabilities
}

// A measured value, known for a fifth of the wines, shapes the embedding as far as left-out values
// confirm it. Shuffled values have no effect.
func ExampleS2NE_target() {
	wine := datasets.Wine().HideLabels()
	proline := mat.Col(nil, 12, wine.X)
	rest := mat.DenseCopyOf(wine.X.Slice(0, wine.Len(), 0, 12))
	wines := ssdrnb.NewData(rest, nil).Standardize().WithTarget("proline", proline).KeepTarget(0.2).Seed(1)
	model := ssdrnb.S2NE().MustFit(wines)
	strength, _ := model.Report().Fact("target strength")
	fmt.Printf("strength %.1f\n", strength)

	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(proline), func(i, j int) { proline[i], proline[j] = proline[j], proline[i] })
	model = ssdrnb.S2NE().MustFit(wines.WithTarget("shuffled", proline).KeepTarget(0.2))
	strength, _ = model.Report().Fact("target strength")
	fmt.Printf("shuffled: strength %.1f\n", strength)
	// Output:
	// strength 0.6
	// shuffled: strength 0.0
}
