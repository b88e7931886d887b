//go:build unix

package ssdrnb

import (
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/walks"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// BenchmarkKnowledge times the calls that evaluate labels of MNIST, on 30 principal components with
// a given graph. It needs the set in SSDRNB_DATA. It also reports processor seconds, as machines
// may be busy.
func BenchmarkKnowledge(b *testing.B) {
	var w *sparse.CSR
	var truth []int
	prepare := sync.OnceValue(func() error {
		d := datasets.MNIST()
		m, err := PCA().Dims(30).Fit(d)
		if err != nil {
			return err
		}
		j, err := knowledgeJob(b.Context(), "Opinions", data.New(m.Embedding(), d.Labels))
		if err != nil {
			return err
		}
		truth = d.Labels
		w, err = opinionGraph(j, graph.SearchOptions{})
		return err
	})
	if err := datasets.MNIST().Err(); err != nil {
		b.Skip(err)
	}
	if err := prepare(); err != nil {
		b.Fatal(err)
	}
	labels := func(m int) []int {
		out := slices.Repeat([]int{data.Unlabelled}, len(truth))
		for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(truth))[:m] {
			out[i] = truth[i]
		}
		return out
	}
	for _, c := range []struct {
		name string
		m    int
		run  func(labels []int) error
	}{
		{"opinions of 10 labels", 10, func(l []int) error {
			_, err := walks.Opinions(b.Context(), w, l, 10, walks.Options{})
			return err
		}},
		{"opinions of 100 labels", 100, func(l []int) error {
			_, err := walks.Opinions(b.Context(), w, l, 10, walks.Options{})
			return err
		}},
		{"opinions of 1000 labels", 1000, func(l []int) error {
			_, err := walks.Opinions(b.Context(), w, l, 10, walks.Options{})
			return err
		}},
		{"ten suggestions at 100 labels", 100, func(l []int) error {
			_, err := walks.Suggest(b.Context(), w, l, 10, 10, 0)
			return err
		}},
		{"verdicts on 1000 labels", 1000, func(l []int) error {
			o, err := walks.Opinions(b.Context(), w, l, 10, walks.Options{})
			if err != nil {
				return err
			}
			_, err = o.Verdicts(b.Context())
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			l := labels(c.m)
			began := busy()
			for b.Loop() {
				if err := c.run(l); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((busy()-began).Seconds()/float64(b.N), "CPU-s/op")
		})
	}
}

// busy is the processor time of this process.
func busy() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
