package viz

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Linked returns a copy of a figure by [Compare] that matches samples of different data sets.
// Samples match if they have the same value of an attribute, see [data.Data.WithAttribute]. The
// attribute may be the number of a patient examined on two days, or of a document in two languages.
// Pointing at a sample or selecting it marks the matching samples in the other panels. The button ⇄
// moves the samples from one panel to the next. Samples that exist in only one of the two panels
// fade in or out. If several samples of a panel have the same value, they are selected together,
// and the button fades them instead of moving them. Samples without a value are not linked. If all
// panels use the same method and their data have different names, the panels are titled with these
// names.
//
// [ssdrnb.Align] computes layouts of such data sets in which matching samples are near each other.
// Linked supports up to 20,000 samples in each two-dimensional panel, and requires the notebook
// extension of install.sh or an exported page.
func (f Figure) Linked(attribute string) Figure {
	return f.restyled("Linked", func(s *style) {
		s.linked = func(panels []*panel) error { return linkedBy(attribute, panels) }
	})
}

// nameByData titles panels with the names of their data if all panels use the same method and the
// names differ.
func nameByData(panels []*panel) {
	names := byData(mapped(panels, func(p *panel) Embedded { return p.model }))
	for k := range names {
		panels[k].name = names[k]
	}
}

// byData returns the names of the models' data, or nil if two names are equal, one is empty, or the
// models are by different methods.
func byData(models []Embedded) []string {
	known, names := map[string]bool{"": true}, make([]string, len(models))
	for k, m := range models {
		name := m.Data().Name
		if known[name] || m.Method() != models[0].Method() {
			return nil
		}
		known[name], names[k] = true, cut(name)
	}
	return names
}

// linkedBy sets knownAs in all panels: each value of the attribute gets a number, and samples are
// identified by the numbers of their values.
func linkedBy(name string, panels []*panel) error {
	if len(panels) < 2 {
		return fmt.Errorf("viz: Linked(%q): the figure has %s; give Compare two or more", cut(name), nouns.Count(len(panels), "embedding"))
	}
	nameByData(panels)
	type known struct {
		number uint32
		first  int // index of the first panel with the value
	}
	met, shared := map[string]known{}, false
	for k, p := range panels {
		if err := p.ambiguousAttribute("Linked", name); err != nil {
			return err
		}
		values := p.data.Attribute(name)
		switch {
		case values == nil:
			var has []string
			const listed = 10
			for _, a := range p.data.Attributes[:min(len(p.data.Attributes), listed)] {
				has = append(has, strconv.Quote(short(a.Name, 24)))
			}
			remedy := "add it with Data.WithAttribute"
			if has != nil {
				remedy = "choose one of " + strings.Join(has, ", ")
			}
			if more := len(p.data.Attributes) - listed; more > 0 {
				remedy += fmt.Sprintf(" and %d more", more)
			}
			return fmt.Errorf("viz: Linked(%q): the data of %s have no attribute of this name; %s", cut(name), p.name, remedy)
		case len(values) != p.n:
			return fmt.Errorf("viz: Linked(%q): the attribute has %s, but %s has %s; give one for each with Data.WithAttribute", cut(name), nouns.Count(len(values), "value"), p.name, nouns.Count(p.n, "sample"))
		case p.n > manySamples:
			return fmt.Errorf("viz: Linked(%q): %s has %d samples, but a page links at most %d; draw a subset with Data.Subset", cut(name), p.name, p.n, manySamples)
		}
		of := make([]byte, 0, 4*p.n)
		for _, v := range values {
			if !given(v) {
				of = binary.LittleEndian.AppendUint32(of, math.MaxUint32)
				continue
			}
			one, again := met[v]
			if !again {
				one = known{uint32(len(met)), k}
				met[v] = one
			}
			shared = shared || one.first != k
			of = binary.LittleEndian.AppendUint32(of, one.number)
		}
		p.knownAs = base64.StdEncoding.EncodeToString(of)
	}
	if !shared {
		return fmt.Errorf("viz: Linked(%q): no value of the attribute occurs in two embeddings; name an attribute that identifies the same sample in several data sets", cut(name))
	}
	return nil
}
