package stage

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// count returns a reading of a whole number.
func count(n int) Reading {
	v := float64(n)
	return Reading{Value: &v, Text: strconv.Itoa(n)}
}

// share returns a reading in per cent.
func share(v float64) Reading {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Reading{Text: "–"}
	}
	return Reading{Value: &v, Text: fmt.Sprintf("%.1f %%", 100*v)}
}

// number returns a reading with the given number of decimals.
func number(v float64, digits int) Reading {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Reading{Text: "–"}
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if zero, _ := strconv.ParseFloat(text, 64); zero == 0 {
		text = strings.TrimPrefix(text, "-")
	}
	return Reading{Value: &v, Text: text}
}

// pack encodes finite numbers.
func pack(at []float64) Packed {
	most := 0.0
	for _, v := range at {
		most = max(most, math.Abs(v))
	}
	p := Packed{Steps: make([]byte, 0, 2*len(at)), Unit: most / math.MaxInt16}
	if p.Unit == 0 {
		p.Unit = 1
	}
	for _, v := range at {
		p.Steps = binary.LittleEndian.AppendUint16(p.Steps, uint16(int16(math.Round(v/p.Unit))))
	}
	return p
}

// around returns a square window around samples, with a margin. at contains x and y of each sample
// in turn.
func around(at []float64) View {
	v := View{X0: math.Inf(1), X1: math.Inf(-1), Y0: math.Inf(1), Y1: math.Inf(-1), Square: true}
	for k := 0; k+1 < len(at); k += 2 {
		v.X0, v.X1 = min(v.X0, at[k]), max(v.X1, at[k])
		v.Y0, v.Y1 = min(v.Y0, at[k+1]), max(v.Y1, at[k+1])
	}
	margin := 0.05 * max(v.X1-v.X0, v.Y1-v.Y0, 1e-9)
	v.X0, v.X1, v.Y0, v.Y1 = v.X0-margin, v.X1+margin, v.Y0-margin, v.Y1+margin
	return v
}
