package chart

import (
	"encoding/json"
	"testing"

	"github.com/go-echarts/go-echarts/v2/opts"
)

// The JSON has the form that the page reads: zero values are written or omitted as it expects.
func TestJSON(t *testing.T) {
	at := 0
	for want, v := range map[string]any{
		`"a"`:                          LegendKey{Name: "a"},
		`{"name":"a","icon":"i"}`:      LegendKey{Name: "a", Icon: "i"},
		`[1,2,3,"k"]`:                  TileKey{1, 2, 3, "k"},
		`{"panel":0,"textStyle":{}}`:   Title{Panel: &at},
		`{"textStyle":{}}`:             Title{},
		`{"name":"f","values":[null]}`: Fact{Name: "f", Values: []*float64{nil}},
		`{"dimension":0,"min":0,"max":0,"calculable":false,"inRange":{}}`: VisualMap{Calculable: opts.Bool(false)},
		`{"title":null,"tooltip":{},"animation":false,"legend":null,"series":null,"xAxis":null,"yAxis":[{"type":"value","gridIndex":0,"min":0,"max":1,"from":0,"span":1}]}`: Panels{
			YAxis: Axes{{Type: "value", Max: 1, From: new(float64), Span: 1}}},
	} {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal(raw, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
			t.Fatalf("%s or %s is not JSON", raw, want)
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if string(x) != string(y) {
			t.Errorf("%s, want %s", raw, want)
		}
	}
}
