package look

import (
	"math"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Literal returns the Go expression that builds a Spec, with the options that differ from their
// defaults.
func Literal(s ssdrnb.Spec) string {
	var b strings.Builder
	m := s.Method()
	chained := ssdrnb.New(m.Func).Err() != nil // there is no function for a chain of methods
	if chained {
		b.WriteString("ssdrnb.New(" + strconv.Quote(m.Name) + ")")
	} else {
		b.WriteString("ssdrnb." + m.Func + "()")
	}
	for _, name := range s.Changed() {
		p, _ := m.Param(name)
		if chained || p.Setter == "" {
			b.WriteString(".With(" + strconv.Quote(name) + ", " + goValue(p, s.Value(name)) + ")")
		} else {
			b.WriteString("." + p.Setter + "(" + goValue(p, s.Value(name)) + ")")
		}
	}
	return b.String()
}

func goValue(p ssdrnb.Param, v any) string {
	if p.Auto != "" && (v == float64(ssdrnb.Auto) || v == ssdrnb.Auto) {
		return "ssdrnb.Auto"
	}
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
