package look

import "testing"

func TestExact(t *testing.T) {
	for v, want := range map[float64]string{250007: "250007", 1.0 / 3: "0.333333", 0.1: "0.1", -123456789.5: "-123456789.5", 1e15: "1e+15", 0: "0"} {
		if got := Exact(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}
