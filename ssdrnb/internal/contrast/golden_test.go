package contrast

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// The reference cases count all pairs of samples.

type tolerance struct{ Rel, Abs float64 }

func (t tolerance) near(got float64, want *float64) bool {
	if want == nil {
		return math.IsNaN(got) || math.IsInf(got, 1)
	}
	return math.Abs(got-*want) <= t.Abs+t.Rel*math.Abs(*want)
}

// columns returns the columns of rows with gaps.
func columns(rows [][]*float64) [][]float64 {
	out := make([][]float64, len(rows[0]))
	for j := range out {
		out[j] = make([]float64, len(rows))
		for i, row := range rows {
			out[j][i] = math.NaN()
			if row[j] != nil {
				out[j][i] = *row[j]
			}
		}
	}
	return out
}

func others(n int, group []int) (out []int) {
	for i := range n {
		if !slices.Contains(group, i) {
			out = append(out, i)
		}
	}
	return out
}

// groupOf is a single group of n rows.
func groupOf(n int, rows []int) Groups {
	of := slices.Repeat([]int{-1}, n)
	for _, i := range rows {
		of[i] = 0
	}
	return GroupsOf(of, 1)
}

type column struct {
	Auc, Delta, SE *float64
	In             int      `json:"n_in"`
	Out            int      `json:"n_out"`
	MissingIn      *float64 `json:"missing_in"`
	MissingOut     *float64 `json:"missing_out"`
	MedianIn       *float64 `json:"median_in"`
	MedianOut      *float64 `json:"median_out"`
	Standardized   *float64 `json:"difference"`
	Score          *float64
}

func checkNumbers(t *testing.T, g *numeric) {
	cols := columns(g.Input.X)
	out := g.Input.Against
	if out == nil {
		out = others(len(g.Input.X), g.Input.Group)
	}
	of := slices.Repeat([]int{-1}, len(g.Input.Group)+len(out))
	clear(of[:len(g.Input.Group)])
	effects := make([]Effect, len(cols))
	for j, want := range g.Output.Columns {
		var values []float64
		for _, i := range append(slices.Clone(g.Input.Group), out...) {
			values = append(values, cols[j][i])
		}
		e := NewColumn(values).Effects(GroupsOf(of, 1))[0]
		effects[j] = e
		if e.In != want.In || e.Out != want.Out {
			t.Errorf("column %d: %d in, %d out; want %d, %d", j, e.In, e.Out, want.In, want.Out)
		}
		for _, c := range []struct {
			name string
			got  float64
			want *float64
		}{{"delta", e.Delta, want.Delta}, {"se", e.SE, want.SE}, {"missing in", e.MissingIn, want.MissingIn}, {"missing out", e.MissingOut, want.MissingOut},
			{"median in", e.MedianIn, want.MedianIn}, {"median out", e.MedianOut, want.MedianOut},
			{"standardized", e.Standardized, want.Standardized}, {"score", e.Score(), want.Score}} {
			if !g.Tolerance.near(c.got, c.want) {
				w := any(nil)
				if c.want != nil {
					w = *c.want
				}
				t.Errorf("column %d: %s is %v, want %v", j, c.name, c.got, w)
			}
		}
	}
	ranked := order.By(len(effects), func(a, b int) int { return cmp.Compare(effects[b].Score(), effects[a].Score()) })
	if !slices.Equal(ranked, g.Output.Ranked) {
		t.Errorf("order %v, want %v", ranked, g.Output.Ranked)
	}
}

type numeric struct {
	Input struct {
		X              [][]*float64
		Group, Against []int
	}
	Output struct {
		Columns []column
		Ranked  []int
	}
	Tolerance tolerance
}

func TestGoldenNumbers(t *testing.T) { golden.EachOfKind(t, "contrast_numeric", checkNumbers) }

func TestGoldenTexts(t *testing.T) {
	golden.EachOfKind(t, "contrast_attribute", func(t *testing.T, g *struct {
		Input struct {
			Values []string
			Group  []int
		}
		Output struct {
			Rows []struct {
				Value           string
				Delta, SE, Lift *float64
				ShareIn         *float64 `json:"share_in"`
				ShareOut        *float64 `json:"share_out"`
			}
			MissingIn  *float64 `json:"missing_in"`
			MissingOut *float64 `json:"missing_out"`
		}
		Tolerance tolerance
	}) {
		c, groups := NewTexts(g.Input.Values), groupOf(len(g.Input.Values), g.Input.Group)
		in, out := c.Missing(groups)
		all := c.Effects(groups)[0]
		if !g.Tolerance.near(in[0], g.Output.MissingIn) || !g.Tolerance.near(out[0], g.Output.MissingOut) || len(all) != len(g.Output.Rows) {
			t.Fatalf("%v, %v in, %v out missing", all, in, out)
		}
		for k, want := range g.Output.Rows {
			v := all[k]
			if v.Value != want.Value || !g.Tolerance.near(v.Delta, want.Delta) || !g.Tolerance.near(v.SE, want.SE) || !g.Tolerance.near(v.Lift, want.Lift) ||
				!g.Tolerance.near(v.ShareIn, want.ShareIn) || !g.Tolerance.near(v.ShareOut, want.ShareOut) {
				t.Errorf("row %d is %+v, want %+v", k, v, want)
			}
		}
	})
}

func TestGoldenRegions(t *testing.T) {
	golden.EachOfKind(t, "contrast_regions", func(t *testing.T, g *struct {
		Input struct {
			X              [][]*float64
			Y              [][]float64
			Group, Centres []int
		}
		Output struct {
			Delta, Usual []float64
			UsualLargest float64 `json:"usual_largest"`
			Unusual      []bool
		}
		Tolerance tolerance
	}) {
		y := mat.NewDense(len(g.Input.Y), len(g.Input.Y[0]), nil)
		for i, row := range g.Input.Y {
			y.SetRow(i, row)
		}
		regions := NewRegions(y, []int{len(g.Input.Group)}, g.Input.Centres)
		groups := groupOf(len(g.Input.Y), g.Input.Group)
		largest := make([]float64, len(g.Input.Centres))
		for j, values := range columns(g.Input.X) {
			c := NewColumn(values)
			each := c.Regions(regions)[0]
			for b, d := range each {
				largest[b] = max(largest[b], math.Abs(d))
			}
			delta, usual := c.Effects(groups)[0].Delta, Usual(each)
			if !g.Tolerance.near(delta, &g.Output.Delta[j]) || !g.Tolerance.near(usual, &g.Output.Usual[j]) || Unusual(delta, usual) != g.Output.Unusual[j] {
				t.Errorf("column %d: %v, usual %v; want %v, %v", j, delta, usual, g.Output.Delta[j], g.Output.Usual[j])
			}
		}
		if u := Usual(largest); !g.Tolerance.near(u, &g.Output.UsualLargest) {
			t.Errorf("usual largest %v, want %v", u, g.Output.UsualLargest)
		}
	})
}

func TestGoldenNames(t *testing.T) {
	golden.EachOfKind(t, "contrast_names", func(t *testing.T, g *struct {
		Input struct {
			X      [][]*float64
			Names  []string
			Labels []int
		}
		Output struct{ Names []string }
	}) {
		var features []Feature
		for j, values := range columns(g.Input.X) {
			features = append(features, Feature{Title: g.Input.Names[j], Numbers: values})
		}
		count := slices.Max(g.Input.Labels) + 1
		groups := GroupsOf(g.Input.Labels, count)
		got := Names(features, Compare(features, groups), groups)
		if !slices.Equal(got, g.Output.Names) {
			t.Errorf("%q, want %q", got, g.Output.Names)
		}
	})
}
