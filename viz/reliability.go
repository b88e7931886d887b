package viz

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// keptOf returns a function that formats the line about kept neighbours: the share of the nearest
// neighbours in the data that each embedding keeps. The shares are computed at the first call of
// this function and then cached. The function's argument contains the names of the models. Its
// result is "" if no model has dense features to compare its embedding with.
func keptOf(models []Embedded) func(names []string) string {
	type share struct {
		k    int // index of the model
		kept float64
	}
	var most metrics.KeptShare
	some := false
	shares := sync.OnceValue(func() (all []share) {
		for k, m := range models {
			if _, raw := m.(samples); raw {
				continue // the embedding consists of the features themselves
			}
			if m.Data().X == nil {
				continue // the model was loaded without samples
			}
			if kept, err := metrics.Kept(context.Background(), m.Data().X, m.Embedding()); err == nil {
				all = append(all, share{k, kept.Share})
				most.Asked, most.K, some = max(most.Asked, kept.Asked), max(most.K, kept.K), some || kept.Asked < kept.Samples
			}
		}
		return all
	})
	return func(names []string) string {
		all, over := shares(), ""
		if some {
			over = fmt.Sprintf(" (average of %d samples)", most.Asked)
		}
		switch {
		case all == nil:
			return ""
		case len(models) == 1:
			return fmt.Sprintf("Neighbours kept in the embedding: %.0f %% of the %d nearest in the data%s.", 100*all[0].kept, most.K, over)
		case len(all) > 6:
			by := func(a, b share) int { return int(1e6 * (a.kept - b.kept)) }
			lo, hi := slices.MinFunc(all, by), slices.MaxFunc(all, by)
			return fmt.Sprintf("Neighbours kept in the embedding: from %.0f %% (%s) to %.0f %% (%s) of the %d nearest in the data%s.", 100*lo.kept, names[lo.k], 100*hi.kept, names[hi.k], most.K, over)
		}
		var parts []string
		for _, s := range all {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", names[s.k], 100*s.kept))
		}
		return fmt.Sprintf("Neighbours kept in the embedding, of the %d nearest in the data: %s%s.", most.K, strings.Join(parts, ", "), over)
	}
}

// captionNames returns distinct names of the models for the captions of a figure in style s. If
// [Figure.Linked] titles the panels with the names of the data, captionNames returns these names.
// Otherwise it returns the result of the function distinct.
func captionNames(models []Embedded, s style) []string {
	if s.linked != nil {
		if names := byData(models); names != nil {
			return names
		}
	}
	return distinct(models)
}

// distinct returns the method names of the models. Equal names are numbered from 1. If there are
// only two models, equal names end in "(left)" and "(right)" instead.
func distinct(models []Embedded) []string {
	names, count := make([]string, len(models)), map[string]int{}
	for k, m := range models {
		names[k] = cut(m.Method())
		count[names[k]]++
	}
	number := map[string]int{}
	for k, name := range names {
		if count[name] < 2 {
			continue
		}
		number[name]++
		if len(models) == 2 {
			names[k] += [...]string{" (left)", " (right)"}[k]
		} else {
			names[k] += fmt.Sprintf(" %d", number[name])
		}
	}
	return names
}
