package interact

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// menu contains the methods from which a reader chooses, and the controls for their options.
type menu struct {
	methods  []ssdrnb.Spec // with the options in the code of the cell
	controls [][]control   // by method, then by option
}

// choice is a reader's choice of a method and its options.
type choice struct {
	Method int `json:"method"`
	// Options contains, for each method, the options that differ from those in the code.
	Options []map[string]any `json:"options"`
}

const maxMethods = 100

func newMenu(methods []ssdrnb.Spec, d *data.Data) (menu, error) {
	m := menu{methods: methods}
	if len(methods) == 0 || len(methods) > maxMethods {
		return m, fmt.Errorf("a menu cannot have %d methods; give 1 to %d", len(methods), maxMethods)
	}
	for _, s := range methods {
		if err := s.Err(); err != nil {
			return m, err
		}
		m.controls = append(m.controls, controls(s, d, nil, nil))
	}
	return m, nil
}

// fresh returns the initial choice: the first method, with the options in the code.
func (m menu) fresh() choice { return choice{Options: make([]map[string]any, len(m.methods))} }

func (m menu) check(c choice) error {
	if len(c.Options) != len(m.methods) || c.Method < 0 || c.Method >= len(m.methods) {
		return fmt.Errorf("%w: the choice is method %d of %d, but the menu has %d methods", errMessage, c.Method, len(c.Options), len(m.methods))
	}
	for k := range m.methods {
		if err := m.spec(choice{k, c.Options}).Err(); err != nil {
			return err
		}
	}
	return nil
}

func (m menu) spec(c choice) ssdrnb.Spec {
	s := m.methods[c.Method]
	for name, v := range c.Options[c.Method] {
		s = s.With(name, v)
	}
	return s
}

// setup returns the names, titles and controls of the methods, for a page.
func (m menu) setup() any {
	type method struct {
		Name     string    `json:"name"`
		Title    string    `json:"title"`
		Controls []control `json:"controls"`
	}
	var out []method
	for k, s := range m.methods {
		out = append(out, method{look.Name(s.Method().Name), look.Name(s.Method().Title), m.controls[k]})
	}
	return out
}

func (m menu) values(c choice) map[string]any {
	values, spec := map[string]any{}, m.spec(c)
	for _, one := range m.controls[c.Method] {
		values[one.Name] = spec.Value(one.Name)
	}
	return values
}

// event returns the choice after an event: a method, a changed option, or a reset of the options.
func (m menu) event(c choice, kind string, body json.RawMessage) (choice, error) {
	c.Options = slices.Clone(c.Options)
	switch kind {
	case "method":
		return c, whole(body, "method", 0, len(m.methods)-1, &c.Method)
	case "reset":
		c.Options[c.Method] = nil
		return c, nil
	case "set":
		var change struct {
			Name  string `json:"name"`
			Value any    `json:"value"`
		}
		if err := decode(body, &change); err != nil {
			return c, err
		}
		switch change.Value.(type) {
		case bool, float64, string:
		default:
			return c, fmt.Errorf("%w: the value of %.40[3]q cannot have type %[2]T", errMessage, change.Value, change.Name)
		}
		changed := maps.Clone(c.Options[c.Method])
		if changed == nil {
			changed = map[string]any{}
		}
		changed[change.Name] = change.Value
		c.Options[c.Method] = changed
		return c, m.spec(c).Err()
	}
	return c, ErrUnknown(kind)
}

// whole decodes a whole number, stores it in *to, and checks that it is from lo to hi.
func whole(body json.RawMessage, name string, lo, hi int, to *int) error {
	if err := decode(body, to); err != nil {
		return err
	}
	if *to < lo || *to > hi {
		return fmt.Errorf("%w: %s = %d is out of range; choose %d to %d", errMessage, name, *to, lo, hi)
	}
	return nil
}
