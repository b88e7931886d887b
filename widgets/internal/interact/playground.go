package interact

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Playground is a picture with a menu of methods, the options of each as controls, and
// the labels that the methods see as something to change.
type Playground struct {
	picture
	data     *data.Data // as given, for what has no true classes
	known    *data.Data // labelled by the true classes; nil if these are not known
	most     int        // labels per class that can be kept
	start    []ssdrnb.Spec
	controls [][]control
	classes  look.Legend
	series   *ssdrnb.Series
	of       [2]int // the labels per class and the seed that series has
	store    Store
	chosen   choices
	status   string
	failure  string
}

// choices is what a reader chooses in a playground, and the content of its store.
type choices struct {
	Format   int              `json:"format"`
	Revision int              `json:"revision"`
	Method   int              `json:"method"`
	Labels   int              `json:"labels"` // per class
	Seed     int              `json:"seed"`
	Options  []map[string]any `json:"options"` // of each method, that differ from the code
}

func (c choices) clone() choices {
	c.Options = slices.Clone(c.Options)
	return c
}

// maxMethods bounds the menu of a playground, and maxSeed its draws.
const (
	maxMethods = 50
	maxSeed    = 1_000_000
)

func openPlayground(ctx context.Context, t Task, store Store, stored []byte) (*Playground, error) {
	if len(t.Methods) == 0 || len(t.Methods) > maxMethods {
		return nil, fmt.Errorf("a playground has 1 to %d methods, not %d", maxMethods, len(t.Methods))
	}
	p := &Playground{data: t.Data, start: t.Methods, store: store, chosen: choices{Format: storeFormat, Seed: 1, Labels: 10, Options: make([]map[string]any, len(t.Methods))}}
	for _, s := range t.Methods {
		if err := s.Err(); err != nil {
			return nil, err
		}
		p.controls = append(p.controls, controls(s, t.Data, nil, nil))
	}
	if t.Data.Truth != nil {
		p.known = t.Data.WithLabels(t.Data.Truth)
		if err := p.known.Err(); err != nil {
			return nil, err
		}
		size := map[int]int{}
		for _, l := range t.Data.Truth {
			if l != data.Unlabelled {
				size[l]++
			}
		}
		for _, n := range size {
			p.most = max(p.most, n)
		}
		p.most = min(p.most, 100)
		p.chosen.Labels = min(10, p.most)
	}
	p.classes = look.ClassesOf(t.Data, t.Data.Len()).Legend()
	if kept, err := p.read(stored); err == nil {
		p.chosen = kept
	}
	code := p.chosen
	if apply := p.Work()(ctx); apply != nil {
		apply()
	}
	if p.model == nil && (code.Method != 0 || code.Revision > 0) { // what is stored cannot be fitted
		p.chosen = choices{Format: storeFormat, Revision: code.Revision, Seed: 1, Labels: min(10, p.most), Options: make([]map[string]any, len(t.Methods))}
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

// read checks what is stored.
func (p *Playground) read(stored []byte) (choices, error) {
	var c choices
	if err := decode(stored, &c); err != nil {
		return c, err
	}
	if c.Format != storeFormat || c.Revision < 0 || len(c.Options) != len(p.start) || c.Method < 0 || c.Method >= len(p.start) ||
		c.Seed < 1 || c.Seed > maxSeed || p.known != nil && (c.Labels < 1 || c.Labels > p.most) {
		return c, fmt.Errorf("%w: these are not the choices of this playground", errMessage)
	}
	for k := range p.start {
		if err := p.spec(c, k).Err(); err != nil {
			return c, err
		}
	}
	return c, nil
}

// spec is method k with its chosen options.
func (p *Playground) spec(c choices, k int) ssdrnb.Spec {
	s := p.start[k]
	for name, v := range c.Options[k] {
		s = s.With(name, v)
	}
	return s
}

// labelled is the data with the chosen labels.
func (p *Playground) labelled(c choices) *data.Data {
	if p.known == nil {
		return p.data
	}
	return p.known.KeepLabels(c.Labels).Seed(uint64(c.Seed))
}

// Setup has the methods with their controls.
func (p *Playground) Setup() any {
	s := scene(p.data)
	type method struct {
		Name     string    `json:"name"`
		Title    string    `json:"title"`
		Controls []control `json:"controls"`
	}
	var methods []method
	for k, m := range p.start {
		methods = append(methods, method{look.Name(m.Method().Name), look.Name(m.Method().Title), p.controls[k]})
	}
	s["methods"], s["names"], s["colors"], s["symbols"], s["of"], s["title"], s["most"] =
		methods, p.classes.Names, p.classes.Colors, p.classes.Symbols, p.classes.Of, look.Name(p.data.Name), p.most
	return s
}

// State has the picture and the choices that led to it.
func (p *Playground) State() any {
	ringed := make([]bool, p.data.Len())
	for i, l := range p.model.Data().Labels {
		ringed[i] = l != data.Unlabelled
	}
	values := map[string]any{}
	spec := p.spec(p.chosen, p.chosen.Method)
	for _, c := range p.controls[p.chosen.Method] {
		values[c.Name] = spec.Value(c.Name)
	}
	return map[string]any{"revision": p.revision, "at": pack(p.at), "ringed": bits(ringed), "method": p.chosen.Method, "labels": p.chosen.Labels, "seed": p.chosen.Seed,
		"values": values, "status": p.status, "error": p.failure, "code": literal(spec)}
}

// Event changes a choice.
func (p *Playground) Event(kind string, body json.RawMessage) (Outcome, error) {
	next := p.chosen.clone()
	whole := func(name string, lo, hi int, to *int) error {
		if err := decode(body, to); err != nil {
			return err
		}
		if *to < lo || *to > hi {
			return fmt.Errorf("%w: %s = %d; choose %d to %d", errMessage, name, *to, lo, hi)
		}
		return nil
	}
	var err error
	switch kind {
	case "method":
		err = whole("method", 0, len(p.start)-1, &next.Method)
	case "labels":
		if p.known == nil {
			return Outcome{}, fmt.Errorf("%w: the true classes are not known", errMessage)
		}
		err = whole("labels per class", 1, p.most, &next.Labels)
	case "seed":
		err = whole("seed", 1, maxSeed, &next.Seed)
	case "set":
		var change struct {
			Name  string `json:"name"`
			Value any    `json:"value"`
		}
		if err := decode(body, &change); err != nil {
			return Outcome{}, err
		}
		switch change.Value.(type) {
		case bool, float64, string:
		default:
			return Outcome{}, fmt.Errorf("%w: %T as the value of %.40q", errMessage, change.Value, change.Name)
		}
		changed := map[string]any{change.Name: change.Value}
		for name, v := range next.Options[next.Method] {
			if name != change.Name {
				changed[name] = v
			}
		}
		next.Options[next.Method] = changed
		err = p.spec(next, next.Method).Err()
	case "reset":
		next.Options[next.Method] = nil
	case "import":
		var text string
		if err := decode(body, &text); err != nil {
			return Outcome{}, err
		}
		next, err = p.read([]byte(text))
		next.Revision = p.chosen.Revision
	default:
		return Outcome{}, ErrUnknown(kind)
	}
	if err != nil {
		return Outcome{}, err
	}
	p.chosen = next
	return Outcome{Work: true}, nil
}

// Work fits the chosen method to the chosen labels.
func (p *Playground) Work() func(ctx context.Context) func() {
	c, last, spread := p.chosen.clone(), p.at, spreadByClass(p.classes.Of)
	if draw := [2]int{c.Labels, c.Seed}; p.series == nil || draw != p.of {
		p.series, p.of = ssdrnb.NewSeries(p.labelled(c)), draw
	}
	series := p.series
	return func(ctx context.Context) func() {
		began := time.Now()
		m, err := series.FitContext(ctx, p.spec(c, c.Method))
		if cancelled(ctx, err) {
			return nil
		}
		if err != nil {
			return func() { p.failure = err.Error() }
		}
		at, status := positions(m.Embedding(), last, spread), summary(m, time.Since(began))
		return func() {
			p.place(m, at)
			p.status, p.failure = status, ""
			p.keep(c)
		}
	}
}

// keep stores the choices of the picture.
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
func (p *Playground) Chosen() ssdrnb.Spec { return p.spec(p.chosen, p.chosen.Method) }

// Close gives the store back.
func (p *Playground) Close() {
	if p.store != nil {
		p.store.Close()
	}
}
