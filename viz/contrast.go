package viz

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/internal/plot"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// maxDifferences bounds the number of features and attributes in a contrast.
const maxDifferences = 12

// Contrast draws how a group differs from other samples. Each of the twelve features and attributes
// that differ most has a bar. The bar shows Cliff's δ, from −1 (all values in the group are lower)
// to 1 (all are higher). Below each bar are the medians in the group and outside of it, in the
// user's units. For a value of a text attribute, the shares of samples with this value replace the
// medians. After [ssdrnb.ContrastTable.In], a second bar shows the 90 % quantile of |δ| over random
// regions of the embedding with as many samples as the group.
//
// If the samples are images, Contrast draws δ of each pixel, blue for darker and orange for
// brighter, and the mean images of the group and of the other samples.
func Contrast(t *ssdrnb.ContrastTable) Figure {
	fail := func(err error) Figure { return failed("bars", err) }
	if t == nil {
		return fail(fmt.Errorf("viz: Contrast: the table is nil; give the result of ssdrnb.Contrast"))
	}
	if err := t.Err(); err != nil {
		return fail(fmt.Errorf("viz: Contrast: %w", err))
	}
	in, out := t.Groups()
	title := fmt.Sprintf("%s against %d", nouns.Count(len(in), "sample"), len(out))
	var f Figure
	if im := t.Data().Image; im.Height > 0 && im.Width > 0 && im.Height*im.Width == t.Data().Dim() {
		f = differentPictures(t, in, out)
	} else {
		f = differentBars(t)
	}
	f.title = title
	return f
}

func differentBars(t *ssdrnb.ContrastTable) Figure {
	rows := slices.DeleteFunc(t.Rows(), func(r ssdrnb.Difference) bool { return math.IsNaN(r.Delta) })
	if len(rows) == 0 {
		return failed("bars", fmt.Errorf("viz: Contrast: no feature or attribute has known values both in the group and outside; give data with features or attributes"))
	}
	all := len(rows)
	rows = rows[:min(all, maxDifferences)]
	delta, usual := BarSeries{Name: "δ"}, BarSeries{Name: "limit in 9 of 10 random regions"}
	groups, judged := make([]string, len(rows)), !math.IsNaN(t.UsualLargest())
	var text, outside []string
	for k, r := range rows {
		medianIn, medianOut := r.Medians()
		groups[k] = fmt.Sprintf("  %s | %s", medianIn, medianOut)
		delta.Mean = append(delta.Mean, r.Delta)
		usual.Mean = append(usual.Mean, math.Copysign(r.Usual, r.Delta))
		what := "median"
		if r.Missing || r.Value != "" {
			what = "share"
		}
		line := fmt.Sprintf("%s: δ %+.2f, %s %s against %s", cut(r.Label()), r.Delta, what, medianIn, medianOut)
		if judged {
			line += fmt.Sprintf(", usual %.2f", r.Usual)
			if !r.InPicture {
				outside = append(outside, cut(r.Label()))
			}
		}
		text = append(text, line)
	}
	// Long labels are shortened here. Otherwise the chart would cut the medians that follow the
	// label.
	style := texts(12, axisInk, plot.Left, plot.Below)
	widest := 0.0
	for _, medians := range groups {
		widest = max(widest, wide(style, medians))
	}
	labels := look.Names(mapped(rows, ssdrnb.Difference.Label))
	for k, short := range shorter(labels, style, max(longestName-widest, 40)) {
		if wide(style, labels[k]+groups[k]) > longestName {
			labels[k] = short
		}
		groups[k] = labels[k] + groups[k]
	}
	series := []BarSeries{delta}
	if judged {
		series = append(series, usual)
	}
	s, err := newBars("δ: how often higher in the group minus how often lower", groups, series)
	if err != nil {
		return failed("bars", err)
	}
	s.text = lines(text)
	s.notes = []string{"Below the bars: median or share, in the group | outside the group."}
	if judged {
		s.notes = append(s.notes, fmt.Sprintf("In nine of ten random regions of this size, the largest |δ| is below %.2f.", t.UsualLargest()))
	}
	if outside != nil {
		s.notes = append(s.notes, "Not used by the embedding: "+strings.Join(outside, ", ")+".")
	}
	if all > len(rows) {
		s.notes = append(s.notes, fmt.Sprintf("These are the %d largest of %d differences.", len(rows), all))
	}
	return Figure{kind: "bars", drawing: s}
}

// differentPictures draws δ of each pixel and the mean images.
func differentPictures(t *ssdrnb.ContrastTable, in, out []int) Figure {
	d := t.Data()
	deltas := t.Features()
	unit := 0.33 // |δ| at the ends of the colour scale: at least 0.33, which is a medium effect
	for k, v := range deltas {
		if math.IsNaN(v) {
			deltas[k] = 0
		}
		unit = max(unit, math.Abs(deltas[k]))
	}
	// Both mean images use the same grey scale.
	means := [2][]float64{meanOf(d, in), meanOf(d, out)}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range means {
		low, high = min(low, slices.Min(m)), max(high, slices.Max(m))
	}
	gray := func(m []float64) image.Image {
		img := image.NewGray(image.Rect(0, 0, d.Image.Width, d.Image.Height))
		for r := range d.Image.Height {
			for c := range d.Image.Width {
				if high > low {
					img.Pix[img.PixOffset(c, r)] = uint8(255*(m[d.Image.At(r, c)]-low)/(high-low) + 0.5)
				}
			}
		}
		return img
	}
	effect := image.NewPaletted(image.Rect(0, 0, d.Image.Width, d.Image.Height), levels(diverging))
	for r := range d.Image.Height {
		for c := range d.Image.Width {
			effect.SetColorIndex(c, r, uint8(127.5*(1+deltas[d.Image.At(r, c)]/unit)+0.5))
		}
	}
	g, err := newGallery([]Picture{
		{Image: effect, Caption: fmt.Sprintf("δ, up to ±%.2f", unit)},
		{Image: gray(means[0]), Caption: "mean of the group"},
		{Image: gray(means[1]), Caption: "mean of the others"},
	})
	if err != nil {
		return failed("pictures", err)
	}
	if u := t.UsualLargest(); !math.IsNaN(u) {
		g.notes = append(g.notes, fmt.Sprintf("In nine of ten random regions of this size, the largest |δ| is below %.2f.", u))
	}
	return Figure{kind: "pictures", drawing: g}
}

// meanOf returns the feature means of the given rows.
func meanOf(d *data.Data, rows []int) []float64 {
	mean := make([]float64, d.Dim())
	for _, i := range rows {
		for k, v := range d.X.RawRowView(i) {
			mean[k] += v / float64(len(rows))
		}
	}
	return mean
}
