package viz

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// flowers returns rows of iris named by their numbers.
func flowers(rows ...int) *data.Data {
	d := datasets.Iris().Subset(rows)
	names := make([]string, len(rows))
	for k, i := range rows {
		names[k] = fmt.Sprint("flower ", i)
	}
	return d.WithAttribute("flower", names)
}

// TestLinked checks which samples of two data sets the page treats as the same, and what is
// refused.
func TestLinked(t *testing.T) {
	a, b := flowers(0, 10, 60, 120, 130), flowers(60, 61, 0, 140)
	b = b.WithAttribute("flower", append(slices.Clone(b.Attribute("flower")[:3]), ""))
	one, two := ssdrnb.PCA().MustFit(a), ssdrnb.PCA().MustFit(b)
	numbers := func(text string) []uint32 {
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(raw)%4 != 0 {
			t.Fatal(text, err)
		}
		out := make([]uint32, len(raw)/4)
		for i := range out {
			out[i] = binary.LittleEndian.Uint32(raw[4*i:])
		}
		return out
	}
	e := carried(t, Compare(one, two).Linked("flower"))
	for k, want := range [][]uint32{{0, 1, 2, 3, 4}, {2, 5, 0, math.MaxUint32}} {
		if got := numbers(e.Panels[k].Known); !slices.Equal(got, want) {
			t.Errorf("panel %d has the numbers %d, want %d", k, got, want)
		}
	}
	if e := carried(t, Compare(one, two)); e.Panels[0].Known != "" {
		t.Error("a figure has numbers unasked")
	}
	other := ssdrnb.PCA().MustFit(flowers(5, 6, 7))
	for want, f := range map[string]Figure{
		"give Compare two or more":                          Embedding(one).Linked("flower"),
		`no attribute of this name; choose one of "flower"`: Compare(one, two).Linked("fluor"),
		"add it with Data.WithAttribute":                    Compare(one, ssdrnb.PCA().MustFit(datasets.Iris())).Linked("flower"),
		"no value of the attribute occurs in two":           Compare(one, other).Linked("flower"),
		`does not apply to a figure of kind "mul`:           Multiples(Group{Models: []Embedded{one, two}}).Linked("flower"),
	} {
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
