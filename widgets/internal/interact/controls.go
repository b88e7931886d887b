package interact

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// control describes the slider or other input of an option, for a page.
type control struct {
	Name string  `json:"name"`
	Doc  string  `json:"doc"`
	Kind string  `json:"kind"` // int, float, choice or switch
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
	Log  bool    `json:"log"`
	Zero bool    `json:"zero"` // the leftmost position of a logarithmic slider is 0
	Auto string  `json:"auto"` // describes what the library chooses by itself; "" if it cannot
	// Automatic is the value with which the option leaves the choice to the library.
	Automatic float64  `json:"automatic"`
	Choices   []string `json:"choices"`
}

// Span is the range of a slider, set by the caller.
type Span struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// controls returns a control for each option in names, or for all options if names is nil. ranges
// overrides the default range of an option's slider. An option without bounds gets a slider around
// its default. The number field beside the slider accepts any allowed value.
func controls(spec ssdrnb.Spec, d *ssdrnb.Data, names []string, ranges map[string]Span) []control {
	var out []control
	for _, p := range spec.Method().Params {
		if names != nil && !slices.Contains(names, p.Name) {
			continue
		}
		c := control{Name: p.Name, Doc: p.Doc, Auto: p.Auto, Automatic: ssdrnb.Auto, Choices: p.Choices}
		switch p.Kind {
		case ssdrnb.BoolParam:
			c.Kind = "switch"
		case ssdrnb.ChoiceParam:
			c.Kind = "choice"
		case ssdrnb.IntParam:
			c.Kind = "int"
			c.Min, c.Max = intRange(p, d)
		default:
			c.Kind = "float"
			c.Min, c.Max, c.Log, c.Zero = floatRange(p)
		}
		if r, ok := ranges[p.Name]; ok {
			c.Min, c.Max = r.Min, r.Max
			c.Zero = c.Log && r.Min <= 0
			if c.Zero {
				c.Min = r.Max * 1e-6
			}
		}
		out = append(out, c)
	}
	return out
}

// intRange returns the range of an integer slider: the option's bounds, limited by the data. If the
// option has no upper bound, the slider ends at four times the default, but at least at 20.
func intRange(p ssdrnb.Param, d *ssdrnb.Data) (lo, hi float64) {
	lo = p.Min
	if lo < 0 {
		lo = 0
	}
	hi = p.Max
	if hi > 1e6 {
		def, _ := p.Default.(int)
		hi = max(20, 4*float64(def))
	}
	switch p.Name {
	case "dims":
		hi = min(hi, 10, float64(d.Dim()), float64(d.Len()-1))
	case "neighbors":
		hi = min(hi, float64(d.Len()-1))
	}
	return lo, max(lo, hi)
}

// floatRange returns the range of a floating-point slider, whether its scale is logarithmic, and
// whether a logarithmic scale has a position for 0. A linear option with an upper bound has the
// range of its bounds. Other ranges are logarithmic: from three decades below to three decades
// above a positive default, or else from 1e-6 to 1e6, within the option's bounds.
func floatRange(p ssdrnb.Param) (lo, hi float64, log, zero bool) {
	def, _ := p.Default.(float64)
	bounded := p.Max < 1e6
	if bounded && !p.Log {
		lo, hi = p.Min, p.Max
		if lo > 0 && lo < 1e-12 { // the bound means "more than 0"
			lo = hi / 100
		}
		return lo, hi, false, false
	}
	lo, hi = 1e-6, 1e6
	if def > 0 {
		lo, hi = def*1e-3, def*1e3
	}
	lo, hi = max(lo, p.Min), min(hi, p.Max)
	return lo, hi, true, p.Min == 0
}
