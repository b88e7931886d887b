package interact

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Playground is an embedding with a menu of methods, controls for their options, and controls for
// the visible labels.
type Playground struct {
	fitted // with the data as given; used for fits if the true classes are unknown
	menu
	known     *data.Data  // the data with their true classes as labels; nil if these are unknown
	size      map[int]int // number of samples of each true class
	maxLabels int         // maximum number of visible labels per class
	series    *ssdrnb.Series
	draw      [2]int // labels per class and seed for which series was created
	store     Store
	chosen    choices
}

// choices is the stored content of a playground: the reader's choices.
type choices struct {
	Format   int `json:"format"`
	Revision int `json:"revision"`
	Labels   int `json:"labels"` // number of visible labels per class
	Seed     int `json:"seed"`
	choice
}

// maxSeed bounds the seeds from which a reader chooses.
const maxSeed = 1_000_000

func openPlayground(ctx context.Context, t Task, store Store, stored []byte) (*Playground, error) {
	m, err := newMenu(t.Methods, t.Data)
	if err != nil {
		return nil, err
	}
	p := &Playground{menu: m, store: store, fitted: fitted{data: t.Data, classes: look.ClassesOf(t.Data, t.Data.Len()).Legend()}}
	p.size = map[int]int{}
	for _, l := range t.Data.Truth {
		if l != data.Unlabelled {
			p.size[l]++
			p.maxLabels = min(max(p.maxLabels, p.size[l]), maxKept)
		}
	}
	if p.maxLabels > 0 {
		p.known = t.Data.WithLabels(t.Data.Truth)
		if err := p.known.Err(); err != nil {
			return nil, err
		}
	}
	p.chosen = p.fresh(0)
	if kept, err := p.read(stored); err == nil {
		p.chosen = kept
	}
	code := p.chosen
	if apply := p.Work()(ctx); apply != nil {
		apply()
	}
	if p.model == nil && (code.Method != 0 || code.Revision > 0) { // the stored choices cannot be fitted
		p.chosen = p.fresh(code.Revision)
		if apply := p.Work()(ctx); apply != nil {
			apply()
		}
	}
	if p.model == nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s", p.failure)
	}
	return p, nil
}

func (p *Playground) fresh(revision int) choices {
	return choices{Format: storeFormat, Revision: revision, Labels: min(10, p.maxLabels), Seed: 1, choice: p.menu.fresh()}
}

func (p *Playground) read(stored []byte) (choices, error) {
	var c choices
	if err := decode(stored, &c); err != nil {
		return c, err
	}
	if c.Format != storeFormat || !revised(c.Revision) || c.Seed < 1 || c.Seed > maxSeed || p.known != nil && (c.Labels < 1 || c.Labels > p.maxLabels) {
		return c, fmt.Errorf("%w: these are not the choices of this playground", errMessage)
	}
	return c, p.check(c.choice)
}

// labelled returns the data with the chosen number of labels per class. Classes with fewer samples
// keep all labels.
func (p *Playground) labelled(c choices) *data.Data {
	if p.known == nil {
		return p.data
	}
	small := func(class int) bool { return p.size[class] < c.Labels }
	large := *p.known
	large.Truth = slices.Clone(p.known.Truth)
	for i, l := range large.Truth {
		if small(l) {
			large.Truth[i] = data.Unlabelled
		}
	}
	kept := *large.KeepLabels(c.Labels).Seed(uint64(c.Seed))
	kept.Truth = p.known.Truth
	for i, l := range kept.Truth {
		if small(l) && kept.Err() == nil {
			kept.Labels[i] = l
		}
	}
	return &kept
}

// Setup returns the methods with their controls.
func (p *Playground) Setup() any {
	s := p.fitted.setup(p.data.Name)
	s["methods"], s["most"] = p.menu.setup(), p.maxLabels
	return s
}

// State returns the embedding and the reader's choices.
func (p *Playground) State() any {
	ringed := make([]bool, p.data.Len())
	for i, l := range p.model.Data().Labels {
		ringed[i] = l != data.Unlabelled
	}
	s := p.state(ringed, p.Chosen())
	s["method"], s["labels"], s["seed"], s["values"] = p.chosen.Method, p.chosen.Labels, p.chosen.Seed, p.values(p.chosen.choice)
	return s
}

// Event handles a changed choice.
func (p *Playground) Event(kind string, body json.RawMessage) (Outcome, error) {
	next := p.chosen
	var err error
	switch kind {
	case "labels":
		if p.known == nil {
			return Outcome{}, fmt.Errorf("%w: the true classes are not known", errMessage)
		}
		err = whole(body, "labels per class", 1, p.maxLabels, &next.Labels)
	case "seed":
		err = whole(body, "seed", 1, maxSeed, &next.Seed)
	case "import":
		var text string
		if err := decode(body, &text); err != nil {
			return Outcome{}, err
		}
		next, err = p.read([]byte(text))
		next.Revision = p.chosen.Revision
	default:
		next.choice, err = p.event(next.choice, kind, body)
	}
	if err != nil {
		return Outcome{}, err
	}
	p.chosen = next
	return Outcome{Work: true}, nil
}

// Work fits the chosen method to the chosen labels.
func (p *Playground) Work() func(ctx context.Context) func() {
	c := p.chosen
	if draw := [2]int{c.Labels, c.Seed}; p.series == nil || draw != p.draw {
		p.series, p.draw = ssdrnb.NewSeries(p.labelled(c)), draw
	}
	series := p.series
	fit := func(ctx context.Context) (*ssdrnb.Model, error) { return series.FitContext(ctx, p.spec(c.choice)) }
	return p.refit(fit, func(err error) {
		if err == nil {
			p.keep(c)
		}
	})
}

// keep stores the choices of the shown model. The choices of the first model are not written,
// because they are either stored already or the initial ones.
func (p *Playground) keep(c choices) {
	if p.store == nil || p.revision == 1 {
		return
	}
	c.Revision = p.chosen.Revision + 1
	if raw, err := json.Marshal(c); err == nil && p.store.Write(append(raw, '\n')) == nil {
		p.chosen.Revision = c.Revision
	}
}

// Chosen returns the method with the options that were chosen last.
func (p *Playground) Chosen() ssdrnb.Spec { return p.spec(p.chosen.choice) }

// Close closes the store.
func (p *Playground) Close() {
	if p.store != nil {
		p.store.Close()
	}
}
