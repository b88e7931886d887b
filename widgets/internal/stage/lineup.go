package stage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// LineupSpec describes a line-up with one round for each method. A round shows the embedding of the
// data among those of eight twins, copies of the data with independently shuffled features.
type LineupSpec struct {
	Source Source        `json:"source"`
	Rounds []BenchMethod `json:"rounds"`
	Seed   uint64        `json:"seed"`
}

const (
	lineupPanels = 9
	buttonNextUp = "next round"
	meterRight   = "rounds right"
	meterReal    = "separation of the real one"
	meterTwins   = "separation of the twins"
)

type lineupMoves struct {
	round, ready int   // index of the round, and number of its embeddings drawn so far
	picked       []int // panel picked by the reader in each round; −1 before
}

func (m lineupMoves) Clone() lineupMoves {
	m.picked = slices.Clone(m.picked)
	return m
}

type lineup struct {
	spec    LineupSpec
	title   string
	data    *data.Data
	methods []ssdrnb.Spec
	places  []int // by round: index of the panel that shows the data
	moving[lineupMoves]
	pictures memory[[2]int, *mat.Dense] // by round and panel
}

func openLineup(s LineupSpec, title string, d *data.Data) (*lineup, error) {
	if n := len(s.Rounds); n < 1 || n > maxMethods {
		return nil, fmt.Errorf("a line-up cannot have %d rounds; give 1 to %d", n, maxMethods)
	}
	d, err := s.Source.open(d)
	if err != nil {
		return nil, err
	}
	if n, dims := d.Len(), d.Dim(); d.X == nil || n < 10 || n > 400 || dims > maxBenchDims {
		return nil, fmt.Errorf("a line-up cannot have %s of %s; give 10 to 400 samples of 1 to %d dense features", nouns.Count(n, "sample"), nouns.Count(dims, "feature"), maxBenchDims)
	}
	l := &lineup{spec: s, title: title, data: d.HideLabels()}
	if err := l.data.Err(); err != nil {
		return nil, err
	}
	if l.methods, err = specsOf(s.Rounds); err != nil {
		return nil, err
	}
	r := generator(s.Seed)
	for range s.Rounds {
		l.places = append(l.places, r.IntN(lineupPanels))
	}
	l.begin(lineupMoves{ready: 1, picked: slices.Repeat([]int{-1}, len(s.Rounds))}, l.apply, l.see)
	return l, nil
}

func (l *lineup) Setup() Setup {
	return Setup{Title: l.title, Names: []string{}, Colors: []string{}, Symbols: []string{}, Hands: []Hand{HandPick},
		Buttons: []Button{{Name: buttonNextUp, Doc: "with the next method"}},
		Meters: []Meter{{Name: meterRight, Doc: "by chance, one of nine rounds is right"}, {Name: meterReal, Doc: "the best silhouette of 2 to 10 groups by k-means: 0 mixed, 1 far apart"},
			{Name: meterTwins, Doc: "the mean best silhouette of the twins"}}}
}

func (l *lineup) apply(m *lineupMoves, a Action) error {
	switch a.Kind {
	case KindTick:
		m.ready = min(m.ready+1, lineupPanels)
	case string(HandPick):
		switch {
		case m.ready < lineupPanels:
			return fmt.Errorf("wait until all nine embeddings are drawn")
		case m.picked[m.round] >= 0:
			return fmt.Errorf("this round is over; go to the next")
		case a.Panel < 0 || a.Panel >= lineupPanels:
			return fmt.Errorf("there is no picture %d", a.Panel)
		}
		m.picked[m.round] = a.Panel
	case "press":
		if m.picked[m.round] >= 0 && m.round+1 < len(l.spec.Rounds) {
			m.round, m.ready = m.round+1, 1
		}
	}
	return nil
}

func (l *lineup) see(ctx context.Context, m *lineupMoves) (*State, error) {
	s := &State{Enabled: []bool{m.picked[m.round] >= 0 && m.round+1 < len(l.spec.Rounds)}}
	over := m.picked[m.round] >= 0
	for k := range lineupPanels {
		p := Panel{Title: fmt.Sprint(k + 1), View: View{X1: 1, Y1: 1, Square: true}}
		if k < m.ready {
			y, err := l.picture(ctx, m.round, k)
			if err != nil {
				return nil, err
			}
			at := spots(y)
			p.View, p.Samples = viewAround(at), &Samples{At: pack(at), Of: slices.Repeat([]int{-1}, l.data.Len())}
		}
		if over {
			p.Chosen, p.Right = k == m.picked[m.round] || k == l.places[m.round], k == l.places[m.round]
		}
		s.Panels = append(s.Panels, p)
	}
	if m.ready < lineupPanels {
		s.Tick = 1
	}
	right, played := 0, 0
	for k, at := range m.picked {
		if at >= 0 {
			played++
		}
		if at == l.places[k] {
			right++
		}
	}
	score := float64(right)
	s.Meters = []Reading{{Value: &score, Text: fmt.Sprintf("%d of %d", right, played)}, {Text: "–"}, {Text: "–"}}
	name := l.spec.Rounds[m.round].Name
	switch {
	case m.ready < lineupPanels:
		s.Note = fmt.Sprintf("%s draws picture %d of %d", name, m.ready+1, lineupPanels)
	case !over:
		s.Note = fmt.Sprintf("Nine pictures by %s: which one shows the data? Press it", name)
	default:
		own, twins, err := l.separations(ctx, m.round)
		if err != nil {
			return nil, err
		}
		s.Meters[1], s.Meters[2] = number(own, 2), number(twins, 2)
		s.Note = fmt.Sprintf("%s: picture %d is real, you chose %d", name, l.places[m.round]+1, m.picked[m.round]+1)
	}
	return s, nil
}

// picture returns the embedding in a panel of a round. Panel places[round] shows the data, and each
// other panel shows a different twin.
func (l *lineup) picture(ctx context.Context, round, panel int) (*mat.Dense, error) {
	return l.pictures.get([2]int{round, panel}, func() (*mat.Dense, error) {
		d := l.data
		if panel != l.places[round] {
			d = recipes.Twin(d, l.spec.Seed+uint64(1+round*lineupPanels+panel))
		}
		m, err := l.methods[round].FitContext(ctx, d)
		if err != nil {
			return nil, err
		}
		return m.Embedding(), nil
	})
}

// separations returns how well the embeddings of a round separate into groups, see grouping. own is
// the value for the data, and twins is the mean over the twins.
func (l *lineup) separations(ctx context.Context, round int) (own, twins float64, err error) {
	for k := range lineupPanels {
		y, err := l.picture(ctx, round, k)
		if err != nil {
			return 0, 0, err
		}
		v, err := grouping(ctx, y)
		if err != nil {
			return 0, 0, err
		}
		if k == l.places[round] {
			own = v
		} else if !math.IsNaN(v) {
			twins += v / (lineupPanels - 1)
		}
	}
	return own, twins, nil
}
