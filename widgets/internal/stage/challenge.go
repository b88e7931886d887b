package stage

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// ChallengeSpec adds goals and a maximum number of moves to a stage of another kind.
type ChallengeSpec struct {
	Name  string `json:"name"`
	Wants []Want `json:"wants"`
	// Moves is the maximum number of actions; 0 means no limit. A reset restarts the count.
	Moves int `json:"moves,omitempty"`
}

// Want is a goal: the value of a meter is at least Value or, if Most is true, at most Value.
type Want struct {
	Meter string  `json:"meter"`
	Value float64 `json:"value"`
	Most  bool    `json:"most,omitempty"`
}

const maxChallenged = 1000 // number of moves

type challenge struct {
	Stage
	spec       ChallengeSpec
	setup      Setup
	meterIndex []int // indices of the meters with goals, in the order of the first goal of each
	moves      int
}

func openChallenge(s ChallengeSpec, inner Stage) (*challenge, error) {
	c := &challenge{Stage: inner, spec: s, setup: inner.Setup()}
	if len(s.Wants) == 0 || len(s.Wants) > maxNamed || s.Moves < 0 || s.Moves > maxChallenged {
		return nil, fmt.Errorf("a challenge cannot have %s and %s; give 1 to %d goals, and up to %d moves", nouns.Count(len(s.Wants), "goal"), nouns.Count(s.Moves, "move"), maxNamed, maxChallenged)
	}
	c.setup.Meters = slices.Clone(c.setup.Meters)
	for _, w := range s.Wants {
		k := slices.IndexFunc(c.setup.Meters, func(m Meter) bool { return m.Name == w.Meter })
		if k < 0 {
			return nil, fmt.Errorf("the challenge needs the meter %.40q, which the stage does not show; add it with Meters", w.Meter)
		}
		if math.IsNaN(w.Value) || math.IsInf(w.Value, 0) {
			return nil, fmt.Errorf("the goal of the meter %q is %v; give a finite number", w.Meter, w.Value)
		}
		m := &c.setup.Meters[k]
		if m.Goals == nil {
			c.meterIndex = append(c.meterIndex, k)
		}
		m.Goals = append(m.Goals, Goal{w.Value, w.Most})
	}
	return c, nil
}

func (c *challenge) Setup() Setup { return c.setup }

func (c *challenge) Do(a Action) error {
	counts := a.Kind != "reset" && a.Kind != KindTick
	if counts && c.spec.Moves > 0 && c.moves >= c.spec.Moves {
		return fmt.Errorf("you have made %s; reset to try again", allOf(c.spec.Moves, "move"))
	}
	if err := c.Stage.Do(a); err != nil {
		return err
	}
	switch {
	case a.Kind == "reset":
		c.moves = 0
	case counts:
		c.moves++
	}
	return nil
}

func (c *challenge) Work() func(context.Context) (*State, error) {
	work, moves := c.Stage.Work(), c.moves
	return func(ctx context.Context) (*State, error) {
		s, err := work(ctx)
		if err != nil || s == nil {
			return s, err
		}
		var reached []string
		for _, k := range c.meterIndex {
			m, r := c.setup.Meters[k], &s.Meters[k]
			r.Met = r.Value != nil && !slices.ContainsFunc(m.Goals, func(g Goal) bool { return !g.holds(*r.Value) })
			if r.Met {
				reached = append(reached, m.Name+" "+r.Text)
			}
		}
		if len(reached) == len(c.meterIndex) && moves > 0 && s.Error == "" {
			s.Won = fmt.Sprintf("%s: %s", c.spec.Name, strings.Join(reached, ", "))
		}
		if c.spec.Moves > 0 {
			s.Note = strings.TrimSuffix(fmt.Sprintf("%d of %s. %s", moves, nouns.Count(c.spec.Moves, "move"), s.Note), " ")
		}
		return s, nil
	}
}
