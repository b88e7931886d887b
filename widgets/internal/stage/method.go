package stage

import "github.com/ssdrnb/ssdrnb/ssdrnb"

// Method is a method as it travels: its name and the options that differ from its defaults.
type Method struct {
	Method  string         `json:"method"`
	Options map[string]any `json:"options"`
}

// MethodOf returns a method as it travels.
func MethodOf(s ssdrnb.Spec) Method {
	m := Method{s.Method().Name, map[string]any{}}
	for _, name := range s.Changed() {
		m.Options[name] = s.Value(name)
	}
	return m
}

// Spec returns the method, or the error of a name or option that there is not.
func (m Method) Spec() (ssdrnb.Spec, error) {
	s := ssdrnb.New(m.Method)
	for name, v := range m.Options {
		s = s.With(name, v)
	}
	return s, s.Err()
}
