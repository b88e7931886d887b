package ssdrnb_test

import (
	"bytes"
	"errors"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// numericOptions yields each method with each of its numeric options.
func numericOptions() iter.Seq2[*ssdrnb.Method, ssdrnb.Param] {
	return func(yield func(*ssdrnb.Method, ssdrnb.Param) bool) {
		for _, m := range ssdrnb.Methods() {
			for _, p := range m.Params {
				if (p.Kind == ssdrnb.IntParam || p.Kind == ssdrnb.FloatParam) && !yield(m, p) {
					return
				}
			}
		}
	}
}

// Auto is not a number: −1 is refused if it is out of range, also for options that allow Auto, and
// Auto is refused for options without an automatic value.
func TestAutoIsNoNumber(t *testing.T) {
	for m, p := range numericOptions() {
		s := ssdrnb.New(m.Name)
		if err := s.With(p.Name, -1).Err(); p.Min > -1 && !errors.Is(err, ssdrnb.ErrOption) {
			t.Errorf("%s takes %s = -1: %v", m.Name, p.Name, err)
		}
		err := s.With(p.Name, ssdrnb.Auto).Err()
		if p.Auto != "" && err != nil {
			t.Errorf("%s refuses %s = Auto: %v", m.Name, p.Name, err)
		}
		if p.Auto == "" && (err == nil || !strings.Contains(err.Error(), "has no automatic value")) {
			t.Errorf("%s, %s = Auto: %v", m.Name, p.Name, err)
		}
	}
}

// The bounds of numeric options are allowed values, and the error of a value beyond one states it.
func TestBoundsOfOptions(t *testing.T) {
	for m, p := range numericOptions() {
		s := ssdrnb.New(m.Name)
		for _, v := range []float64{p.Min, p.Max} {
			if err := s.With(p.Name, v).Err(); err != nil {
				t.Error(err)
			}
		}
		if p.Max == math.MaxFloat64 {
			continue
		}
		if err := s.With(p.Name, 2*p.Max+1).Err(); !errors.Is(err, ssdrnb.ErrOption) || strings.Contains(err.Error(), "∞") {
			t.Errorf("%s takes %s = %v: %v", m.Name, p.Name, 2*p.Max+1, err)
		}
	}
}

// In the table of a sweep Auto appears by name, and its number is NaN.
func TestAutoInSweeps(t *testing.T) {
	r, err := ssdrnb.Sweep(ssdrnb.LDA(), datasets.Iris().KeepLabels(5)).List("ridge", ssdrnb.Auto, 0.5).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a := r.Axes[0]
	if x := a.Floats(); !math.IsNaN(x[0]) || x[1] != 0.5 || a.Label(0) != "auto" || a.Label(1) != "0.5" {
		t.Errorf("values %v, labels %q and %q", x, a.Label(0), a.Label(1))
	}
	if a := (ssdrnb.Axis{Values: []any{1e4, 1.0 / 3}}); a.Label(0) != "10000" || a.Label(1) != "0.3333" {
		t.Errorf("labels %q and %q", a.Label(0), a.Label(1))
	}
	var table bytes.Buffer
	if err := r.WriteCSV(&table); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(table.String(), "\n"); !strings.HasPrefix(lines[1], "auto,") || !strings.HasPrefix(lines[2], "0.5,") {
		t.Error(table.String())
	}
}

// With accepts a choice as a string and as a value of its type, and stores the string.
func TestChoicesByName(t *testing.T) {
	for _, v := range []any{"binary", ssdrnb.Binary} {
		s := ssdrnb.SDA().With("affinity", v).Spec()
		if s.Err() != nil || s.Value("affinity") != "binary" || s.String() != ssdrnb.SDA().Affinity(ssdrnb.Binary).String() {
			t.Errorf("%T: %v, %v", v, s, s.Err())
		}
	}
	for _, v := range []any{"Binary", ssdrnb.Cosine, 1, nil, []string{"binary"}} {
		if err := ssdrnb.SDA().With("affinity", v).Spec().Err(); !errors.Is(err, ssdrnb.ErrOption) {
			t.Errorf("%#v: %v", v, err)
		}
	}
}
