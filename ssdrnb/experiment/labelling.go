package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"
)

// Labelling compares the accuracy after labelling suggested samples with the accuracy after
// labelling an equal number of random samples.
type Labelling struct {
	// Asked holds the numbers of new labels, as given to [CompareLabelling].
	Asked []int
	// Suggested and Random hold the 1-NN accuracy, in [0, 1], for each number of new labels.
	Suggested, Random []float64
}

// CompareLabelling fits e to d. For each number in `asked`, it reveals the true classes of that
// many samples suggested by [ssdrnb.Model.Suggest], fits again and scores the test samples (see
// [ssdrnb.NearestNeighbor]). It repeats this with random unlabelled samples, drawn with the given
// seed. d needs Truth for its unlabelled samples. Each number must be between 0 and the number of
// samples that can be suggested.
func CompareLabelling(ctx context.Context, e ssdrnb.Estimator, d, test *data.Data, seed uint64, asked ...int) (*Labelling, error) {
	ctx = par.Context(ctx)
	e = ssdrnb.SpecOf(e)
	fault := func(param string, value any, err error, remedy string) error {
		return &ssdrnb.Error{Method: e.Spec().Method().Name, Param: param, Value: value, Err: err, Remedy: remedy}
	}
	m, err := e.FitContext(ctx, d)
	if err != nil {
		return nil, err
	}
	most, valid := riemann.MaxSuggestions, len(asked) > 0 && slices.Min(asked) >= 0
	if valid {
		most = slices.Max(asked)
	}
	suggested, err := m.Suggest(max(1, most))
	if err != nil {
		return nil, err
	}
	if can := len(suggested); !valid || most > can {
		return nil, fault("asked", asked, fmt.Errorf("%w: there must be at least one number, each from 0 to %d, the number of samples that can be suggested", ssdrnb.ErrOption, can), fmt.Sprintf("give at least one number from 0 to %d", can))
	}
	known := slices.Clone(d.Labels)
	if known == nil {
		known = slices.Repeat([]int{data.Unlabelled}, d.Len())
	}
	hidden := order.Where(known, func(l int) bool { return l == data.Unlabelled })
	for _, i := range hidden {
		if d.Truth == nil || d.Truth[i] == data.Unlabelled {
			return nil, fault("Truth", fmt.Sprintf("sample %d", i), fmt.Errorf("%w: the true class of this sample is not known", ssdrnb.ErrData), "give the class of every sample with Data.WithClasses, and hide labels with Data.KeepLabels")
		}
	}
	rand.New(rand.NewPCG(seed, 0x1abe1)).Shuffle(len(hidden), func(i, k int) { hidden[i], hidden[k] = hidden[k], hidden[i] })
	r := &Labelling{Asked: slices.Clone(asked)}
	for _, n := range asked {
		for _, way := range []struct {
			order []int
			into  *[]float64
		}{{suggested, &r.Suggested}, {hidden, &r.Random}} {
			labels := slices.Clone(known)
			for _, i := range way.order[:n] {
				labels[i] = d.Truth[i]
			}
			m, err := e.FitContext(ctx, d.WithLabels(labels))
			if err != nil {
				return nil, err
			}
			accuracy, err := ssdrnb.NearestNeighbor(m, test)
			if err != nil {
				return nil, err
			}
			*way.into = append(*way.into, accuracy)
		}
	}
	return r, nil
}
