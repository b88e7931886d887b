package stage

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// count returns the reading, see [Reading], of a whole number.
func count(n int) Reading {
	v := float64(n)
	return Reading{Value: &v, Text: strconv.Itoa(n)}
}

// allOf returns, for example, "the only question" for n = 1 and "all 4 questions" for n = 4.
func allOf(n int, thing string) string {
	if n == 1 {
		return "the only " + thing
	}
	return "all " + nouns.Count(n, thing)
}

// share returns the reading of a share v, which is shown in per cent.
func share(v float64) Reading {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Reading{Text: "–"}
	}
	return Reading{Value: &v, Text: fmt.Sprintf("%.1f %%", 100*v)}
}

// number returns the reading of a value without a unit, such as a ratio, with the given number of
// decimals; see [digits]. Values whose magnitude is below the constant named noise differ from 0
// only by rounding errors, and are shown as 0.
func number(v float64, decimals int) Reading {
	r := quantity(v, decimals)
	if math.Abs(v) < noise {
		r.Text = strconv.FormatFloat(0, 'f', decimals, 64)
	}
	return r
}

const noise = 1e-12

// degree returns the reading of an angle in degrees.
func degree(v float64) Reading {
	if math.IsNaN(v) {
		return Reading{Text: "–"}
	}
	return Reading{Value: &v, Text: strconv.FormatFloat(v, 'f', 1, 64)}
}

// quantity returns the reading of a value in units of the data, such as a variance, with the given
// number of decimals; see [digits].
func quantity(v float64, decimals int) Reading {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Reading{Text: "–"}
	}
	return Reading{Value: &v, Text: digits(v, decimals)}
}

// digits formats v with the given number of decimals, unless the result is too short or too long.
// It is too short with fewer than two significant digits, and too long with more than five
// significant digits of which more than one is before the point. In these cases digits formats v
// with max(3, decimals) significant digits: 1.02e6 instead of 1024475.09, and 0.000326 instead of
// 0.00.
func digits(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	size, _ := strconv.ParseFloat(text, 64)
	size = math.Abs(size)
	unit := math.Pow10(-decimals)
	if v == 0 || size >= 10*unit && (size < 10 || size < 1e5*unit) {
		return text
	}
	significant := max(3, decimals)
	text = strconv.FormatFloat(v, 'e', significant-1, 64)
	mantissa, power, _ := strings.Cut(text, "e")
	exponent, _ := strconv.Atoi(power)
	if exponent < -4 || exponent > 3 {
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return mantissa + "e" + strconv.Itoa(exponent)
	}
	return strconv.FormatFloat(v, 'f', max(0, significant-1-exponent), 64)
}

// pack encodes finite numbers as multiples of a common unit.
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

// packApart encodes places with separate units and origins for x and y. at contains x and y of each
// place in turn.
func packApart(at []float64) Packed {
	var from [2]float64
	units := [2]float64{1, 1}
	for k := range 2 {
		low, high := math.Inf(1), math.Inf(-1)
		for i := k; i < len(at); i += 2 {
			low, high = min(low, at[i]), max(high, at[i])
		}
		if len(at) > 0 {
			from[k] = low/2 + high/2
		}
		if high > low {
			units[k] = (high/2 - low/2) / math.MaxInt16
		}
	}
	p := Packed{Steps: make([]byte, 0, 2*len(at)), Unit: units[0], UnitY: units[1], From: &from}
	for i, v := range at {
		step := math.Round((v - from[i%2]) / units[i%2])
		p.Steps = binary.LittleEndian.AppendUint16(p.Steps, uint16(int16(min(max(step, math.MinInt16), math.MaxInt16))))
	}
	return p
}

// viewAround returns a window around samples, with a margin and the same unit on both axes. at
// contains x and y of each sample in turn.
func viewAround(at []float64) View {
	v := View{X0: math.Inf(1), X1: math.Inf(-1), Y0: math.Inf(1), Y1: math.Inf(-1), Square: true}
	for k := 0; k+1 < len(at); k += 2 {
		v.X0, v.X1 = min(v.X0, at[k]), max(v.X1, at[k])
		v.Y0, v.Y1 = min(v.Y0, at[k+1]), max(v.Y1, at[k+1])
	}
	margin := 0.05 * max(v.X1-v.X0, v.Y1-v.Y0, 1e-9)
	v.X0, v.X1, v.Y0, v.Y1 = v.X0-margin, v.X1+margin, v.Y0-margin, v.Y1+margin
	return v
}
