package viz_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
)

// Many samples are packed: their rows, positions, groups and values can be decoded.
func TestManyPacked(t *testing.T) {
	const n = 30_000
	x, labels, values := mat.NewDense(n, 2, nil), make([]int, n), make([]float64, n)
	for i := range n {
		x.SetRow(i, []float64{math.Mod(float64(i)*0.618034, 1), float64(i) / n})
		labels[i], values[i] = i%3, float64(i)
	}
	x.Set(7, 0, 1000) // far away, outside the panel
	values[11] = math.NaN()
	f := viz.Embedding(viz.Samples(data.New(x, labels)))
	only := make([]int, 25_000)
	for r := range only {
		only[r] = r
	}
	for name, c := range map[string]struct {
		f     viz.Figure
		count int
	}{"classes": {f, n - 1}, "values of some": {f.Only(only...).Color(values), len(only) - 1}} {
		t.Run(name, func(t *testing.T) {
			out := payload(t, c.f)
			for _, s := range out["option"].(map[string]any)["series"].([]any) {
				if data := s.(map[string]any)["data"].([]any); len(data) > 0 {
					t.Errorf("a series has %d points", len(data))
				}
			}
			many := out["extra"].(map[string]any)["panels"].([]any)[0].(map[string]any)["many"].(map[string]any)
			if many["count"] != float64(c.count) {
				t.Errorf("%v samples are packed, want %d", many["count"], c.count)
			}
			read := func(name string) []byte {
				raw, err := base64.StdEncoding.DecodeString(many[name].(string))
				if err != nil {
					t.Fatal(err)
				}
				return raw
			}
			end := func(name string, k int) float64 { return many[name].([]any)[k].(float64) }
			var axes [2][]byte
			axes[0], axes[1] = read("x"), read("y")
			rows, of := read("rows"), read("of")
			if len(rows) != 4*c.count || len(of) != c.count || len(axes[0]) != 2*c.count || len(axes[1]) != 2*c.count {
				t.Fatalf("%d bytes of rows, %d of groups, %d and %d of positions", len(rows), len(of), len(axes[0]), len(axes[1]))
			}
			for r := range c.count {
				i := int(binary.LittleEndian.Uint32(rows[4*r:]))
				want := r
				if r >= 7 { // which is left out
					want++
				}
				if i != want {
					t.Fatalf("the %d-th is row %d, want %d", r, i, want)
				}
				for k, axis := range axes {
					lo, hi := end("from", k), end("to", k)
					got := lo + float64(binary.LittleEndian.Uint16(axis[2*r:]))/65535*(hi-lo)
					if math.Abs(got-x.At(i, k)) > (hi-lo)/65535 {
						t.Fatalf("row %d is at %v, want %v", i, got, x.At(i, k))
					}
				}
				if name == "classes" && int(of[r]) != i%3 {
					t.Fatalf("row %d of class %d is in series %d", i, i%3, of[r])
				}
			}
			if name == "classes" {
				return
			}
			shown := read("values")
			lo, hi := many["range"].([]any)[0].(float64), many["range"].([]any)[1].(float64)
			for r := range c.count {
				i, got := int(binary.LittleEndian.Uint32(rows[4*r:])), binary.LittleEndian.Uint16(shown[2*r:])
				switch want := values[i]; {
				case math.IsNaN(want):
					if got != math.MaxUint16 {
						t.Errorf("row %d has no value, and %d is written", i, got)
					}
				case math.Abs(lo+float64(got)/65534*(hi-lo)-min(max(want, lo), hi)) > (hi-lo)/65534:
					t.Fatalf("row %d has %v, and %d of 65534 from %v to %v is written", i, want, got, lo, hi)
				}
			}
		})
	}
}

// The meaning of sizes and opacities of many samples is stated below the figure, and too many
// samples are an error.
func TestManyLimits(t *testing.T) {
	x := mat.NewDense(20_001, 2, nil)
	for i := range 20_001 {
		x.SetRow(i, []float64{float64(i % 100), float64(i / 100)})
	}
	d := data.New(x, nil)
	size := make([]float64, 20_001)
	for i := range size {
		size[i] = float64(i)
	}
	f := viz.Embedding(viz.Samples(d)).PointSize(size).Opacity(size).Density()
	for _, want := range []string{"Sizes show values, from 0 (3 pixels) to 20000 (18 pixels)", "Opacities show values, from 0 (palest)", "Density has no effect"} {
		if text := f.Text(); !strings.Contains(text, want) {
			t.Errorf("no %q of 20,001 samples in %s", want, text)
		}
	}
	if text := viz.Embedding(viz.Samples(d.Subset([]int{0, 1, 2}))).Text(); strings.Contains(text, "20,000") {
		t.Errorf("3 samples: %s", text)
	}
	if err := viz.Embedding(viz.Samples(data.New(mat.NewDense(1_000_001, 2, nil), nil))).Err(); err == nil || !strings.Contains(err.Error(), "at most 1000000 are allowed in a panel") {
		t.Errorf("1,000,001 samples: %v", err)
	}
}

// Many samples include their sizes, opacities and card values.
func TestManyStyle(t *testing.T) {
	const n = 20_001
	x, values := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		x.SetRow(i, []float64{float64(i % 101), float64(i / 101)})
		values[i] = float64(i)
	}
	values[3] = math.NaN()
	f := viz.Embedding(viz.Samples(data.New(x, nil).WithAttribute("half", halves(n))))
	panel := func(f viz.Figure) (map[string]any, func(name string) []byte) {
		one := payload(t, f)["extra"].(map[string]any)["panels"].([]any)[0].(map[string]any)
		return one, func(name string) []byte {
			text, _ := one["many"].(map[string]any)[name].(string)
			raw, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			return raw
		}
	}
	one, read := panel(f.PointSize(values).Opacity(values).Hover("half"))
	sizes, opacities := read("sizes"), read("opacities")
	if len(sizes) != n || len(opacities) != n {
		t.Fatalf("%d sizes and %d opacities of %d samples", len(sizes), len(opacities), n)
	}
	for i, want := range map[int][2]byte{0: {15, 26}, 3: {15, 26}, n / 2: {53, 140}, n - 1: {90, 255}} {
		if got := [2]byte{sizes[i], opacities[i]}; got != want {
			t.Errorf("sample %d has size and opacity %v, want %v", i, got, want)
		}
	}
	facts := one["facts"].([]any)
	if len(facts) != 2 {
		t.Fatalf("the cards have %d values, want sizes and the attribute", len(facts))
	}
	half := facts[1].(map[string]any)
	if got := []any{half["name"], half["names"].([]any)[0], half["of"].([]any)[n-1]}; got[0] != "half" || got[1] != "first" || got[2] != 1.0 {
		t.Errorf("the attribute is %v", got)
	}
	if _, read = panel(f.PointSize(9).Opacity(0.4)); string(read("sizes")) != "\x2d" || string(read("opacities")) != "\x66" {
		t.Errorf("one size and opacity of all are %v and %v", read("sizes"), read("opacities"))
	}
	if _, read = panel(f); len(read("sizes"))+len(read("opacities")) > 0 {
		t.Error("samples without sizes carry some")
	}
}

// Highlighted samples remain visible above many others, however few they are, and the others are
// pale. A single opacity makes all samples paler.
func TestManyHighlighted(t *testing.T) {
	t.Parallel()
	const n = 40_002
	x, kinds := mat.NewDense(n, 2, nil), make([]string, n)
	for i := range n { // 25 samples at each place
		x.SetRow(i, []float64{float64(i % 40), float64(i / 40 % 40)})
		kinds[i] = string(rune('a' + i%40%3))
	}
	f := viz.Embedding(viz.Samples(data.New(x, nil))).Color(kinds)
	colored := func(f viz.Figure, least uint32) (count int) {
		raw, err := f.PNG()
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		area := picture.Bounds()
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for x := area.Min.X; x < area.Max.X; x++ {
				if r, g, b, _ := picture.At(x, y).RGBA(); max(r, g, b)-min(r, g, b) > least<<8 {
					count++
				}
			}
		}
		return count
	}
	for _, count := range []int{40, 1_600, 12_000} {
		rows := make([]int, count)
		for r := range rows {
			rows[r] = r
		}
		one := f.Highlight(rows...)
		if got, places := colored(one, 50), min(count, 1600); got < 4*places {
			t.Errorf("%d highlighted samples at %d places color %d pixels", count, places, got)
		}
		many := payload(t, one)["extra"].(map[string]any)["panels"].([]any)[0].(map[string]any)["many"].(map[string]any)
		weights, err := base64.StdEncoding.DecodeString(many["opacities"].(string))
		if err != nil || len(weights) != n {
			t.Fatalf("%d opacities, %v", len(weights), err)
		}
		if many["faded"] != true || weights[0] != 217 || weights[n-1] != 51 {
			t.Errorf("highlighted and other samples have opacities %d and %d, faded %v", weights[0], weights[n-1], many["faded"])
		}
	}
	if pale, usual := colored(f.Opacity(0.05), 100), colored(f, 100); pale > usual/2 {
		t.Errorf("%d colored pixels at opacity 0.05, usually %d", pale, usual)
	}
}

func halves(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = [2]string{"first", "second"}[2*i/n]
	}
	return out
}

// Above other layers, and in Multiples, many samples are drawn as points, like few.
func TestManyElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	const n = 20_001
	x, labels := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		x.SetRow(i, []float64{float64(i % 101), float64(i / 101)})
		labels[i] = i % 2
	}
	d := data.New(x, labels).WithPairs(data.Pairs{Must: []data.Pair{{I: 0, J: 1}}})
	out := payload(t, viz.PairLinks(viz.Samples(d)))
	extra := out["extra"].(map[string]any)
	if extra["many"] != false || extra["panels"].([]any)[0].(map[string]any)["many"] != nil {
		t.Error("the ends of links are packed to be painted")
	}
	points := 0
	for _, s := range out["option"].(map[string]any)["series"].([]any) {
		if s := s.(map[string]any); s["type"] == "scatter" {
			points += len(s["data"].([]any))
		}
	}
	if points < n {
		t.Errorf("%d points of %d samples", points, n)
	}
	bundle, err := viz.Multiples(viz.Group{Title: "one", Models: []viz.Embedded{viz.Samples(d)}}).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	if _, text, _ := viztest.Split(bundle["text/html"].(string)); !strings.Contains(text, `"points":[`) || strings.Contains(text, `"many":{`) {
		t.Error("small panels have no samples, or have them twice")
	}
}
