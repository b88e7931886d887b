package ssdrnb_test

import (
	"errors"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func ExampleModel_Predict() {
	train, test := datasets.Iris().KeepLabels(5).Seed(2).Split(0.5)
	model, err := ssdrnb.SDA().Fit(train)
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, err := model.Predict(test.X.Slice(0, 3, 0, 4).(*mat.Dense))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, c := range classes {
		fmt.Println(test.ClassName(c), c == test.Truth[i])
	}
	// Output:
	// setosa true
	// setosa true
	// setosa true
}

// Predict agrees with the classifier that NearestNeighbor scores and with the nearest class of
// ClassDistances.
func TestPredictIsWhatIsScored(t *testing.T) {
	train, test := datasets.Wine().Standardize().KeepLabels(4).Seed(1).Split(0.6)
	model, err := ssdrnb.TRSDA().Fit(train)
	if err != nil {
		t.Fatal(err)
	}
	classes, err := model.Predict(test.X)
	if err != nil {
		t.Fatal(err)
	}
	distances, err := model.ClassDistances(test.X)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, c := range classes {
		if c == test.Truth[i] {
			right++
		}
		for k := range 3 {
			if distances.At(i, k) < distances.At(i, c) {
				t.Errorf("sample %d is of class %d though %d is nearer", i, c, k)
			}
		}
	}
	score, err := model.Score(ssdrnb.NearestNeighbor, test)
	if err != nil || score != float64(right)/float64(len(classes)) {
		t.Errorf("score %v, but %d of %d are right: %v", score, right, len(classes), err)
	}
	blind, err := ssdrnb.PCA().Fit(train.HideLabels())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blind.Predict(test.X); !errors.Is(err, ssdrnb.ErrNeedsLabels) {
		t.Errorf("no label gives %v", err)
	}
}

func TestCompare(t *testing.T) {
	d := datasets.Wine().Standardize().KeepLabels(4)
	run := func(b ssdrnb.CompareBuilder) *ssdrnb.Comparison {
		c, err := b.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	b := ssdrnb.Compare(d, ssdrnb.PCA(), ssdrnb.TRSDA(), ssdrnb.LapLDA()).UpTo(5).Splits(3).Train(0.7)
	c := run(b)
	again := run(b)
	for m, curve := range c.Curves {
		if curve.Err != nil || len(curve.Test) != 5 || len(curve.Unlabelled) != 5 || len(curve.Test[0].Scores) != 3 {
			t.Fatalf("%v: %v, %d cells", curve.Spec, curve.Err, len(curve.Test))
		}
		for k, cell := range curve.Test {
			// A separate fit to the second draw.
			train, test := d.Seed(2).Split(0.7)
			model, err := curve.Spec.With("dims", k+1).Fit(train)
			if err != nil {
				t.Fatal(err)
			}
			want, err := model.Score(ssdrnb.NearestNeighbor, test)
			if err != nil || cell.Scores[1] != want || again.Curves[m].Test[k].Scores[1] != want {
				t.Errorf("%v in %d dimensions: %v, separately %v", curve.Spec, k+1, cell.Scores[1], want)
			}
		}
	}
	// The usual split, done by hand.
	if byHand := run(b.Divide(func(d *data.Data) (train, test *data.Data) { return d.Split(0.7) })); byHand.Curves[1].Test[2].Scores[2] != c.Curves[1].Test[2].Scores[2] {
		t.Error("Divide differs from Train")
	}
	// Validation must not see the test side, nor hidden classes.
	v := run(b.Validate(0.5))
	if v.Curves[0].Test != nil || len(v.Curves[0].Unlabelled) != 5 {
		t.Errorf("validation has %d test cells", len(v.Curves[0].Test))
	}
	for _, bad := range []ssdrnb.CompareBuilder{ssdrnb.Compare(d), b.UpTo(0), b.Splits(0), b.Dims(), b.Validate(1), b.Divide(nil), ssdrnb.Compare(d, ssdrnb.PCA().Dims(-1))} {
		if _, err := bad.Run(t.Context()); !errors.Is(err, ssdrnb.ErrOption) {
			t.Errorf("got %v", err)
		}
	}
}
