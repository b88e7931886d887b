package datasets

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// Picture is an image to be segmented. Each pixel is a sample, and pixels are in row-major order.
type Picture struct {
	Width, Height int
	// Pixels contains one row (r, g, b, x, y) per pixel: colours in [0, 1], and coordinates from 0
	// to `spread`, an argument of [Scene]. Only the pixels of the scribbles are labelled.
	// Pixels.Truth contains the regions of all pixels.
	Pixels *data.Data
}

// Regions of the scene, numbered by class.
const (
	sky = iota
	sea
	beach
	hill
	boat
)

// Scene draws a noisy picture of five regions: a sky above a sea, a beach in front, a hill behind,
// and a boat. Each region contains a scribble: a stroke of labelled pixels. The picture replaces
// the photograph of Fig. 16 of Zhao, Zhang, Chow ("Trace ratio criterion based generalized
// discriminative learning", Pattern Recognition 2012), which may not be redistributed. Unlike in
// the photograph, the true regions are known.
//
// Sky and sea have similar colours, and so do beach and hill, so that neither colour nor position
// alone distinguishes the regions. noise is the standard deviation of the normal noise in the
// colours, such as 0.08; colours are clipped to [0, 1]. spread ≥ 0 is the weight of the coordinates
// relative to the colours. width and height must be at least 16 pixels. If an argument is outside
// its range, Pixels stores [data.ErrOption]. In a picture with a height of 40 pixels or less, a
// stroke may fall between two rows of pixels, and its region then has no labels.
func Scene(width, height int, noise, spread float64, seed uint64) *Picture {
	p := &Picture{Width: width, Height: height}
	if width < 16 || height < 16 || !(noise >= 0) || !(spread >= 0) || math.IsInf(noise+spread, 1) {
		p.Pixels = data.Failed("scene", advice.Errorf("ask for at least 16×16 pixels, and for a noise and a spread of 0 or more",
			"%w: Scene: there cannot be %d×%d pixels with noise %v and spread %v", data.ErrOption, width, height, noise, spread))
		return p
	}
	rng := random(seed, 16)
	colors := [][3]float64{sky: {0.55, 0.70, 0.92}, sea: {0.35, 0.55, 0.80}, beach: {0.85, 0.75, 0.52}, hill: {0.62, 0.58, 0.40}, boat: {0.75, 0.25, 0.22}}
	n := width * height
	x, truth, labels := mat.NewDense(n, 5, nil), make([]int, n), make([]int, n)
	for r := range height {
		for c := range width {
			i := r*width + c
			u, v := (float64(c)+0.5)/float64(width), (float64(r)+0.5)/float64(height)
			truth[i], labels[i] = region(u, v), data.Unlabelled
			if s := scribble(u, v); s == truth[i] {
				labels[i] = s
			}
			row := x.RawRowView(i)
			for k, base := range colors[truth[i]] {
				row[k] = min(max(base+noise*rng.NormFloat64(), 0), 1)
			}
			row[3], row[4] = spread*u, spread*v
		}
	}
	d := data.New(x, truth).WithLabels(labels)
	d.Name, d.ClassNames = "scene", []string{"sky", "sea", "beach", "hill", "boat"}
	d.FeatureNames = []string{"red", "green", "blue", "x", "y"}
	p.Pixels = d
	return p
}

// region returns the region at (u, v), both in (0, 1), where v increases downwards.
func region(u, v float64) int {
	dx, dy := (u-0.66)/0.13, (v-0.58)/0.07
	switch {
	case dx*dx+dy*dy < 1 && v > 0.55, math.Abs(u-0.66) < 0.07*(v-0.36)/0.19 && v > 0.36 && v < 0.55:
		return boat
	case v > 0.82-0.18*u*u:
		return beach
	case v < 0.45 && v > 0.45-0.25*math.Exp(-math.Pow((u-0.25)/0.16, 2)) && u < 0.6:
		return hill
	case v < 0.45:
		return sky
	}
	return sea
}

// scribble returns the class of the stroke at (u, v), or −1 if there is no stroke.
func scribble(u, v float64) int {
	near := func(a, b, from, to float64) bool {
		return u > from && u < to && math.Abs(v-a-b*(u-from)) < 0.012
	}
	switch {
	case near(0.12, 0.02, 0.35, 0.85):
		return sky
	case near(0.56, 0.02, 0.08, 0.45):
		return sea
	case near(0.90, -0.03, 0.15, 0.80):
		return beach
	case near(0.37, 0, 0.17, 0.33):
		return hill
	case near(0.60, 0, 0.60, 0.72):
		return boat
	}
	return data.Unlabelled
}

// Image returns the picture, or nil if its pixels contain an error.
func (p *Picture) Image() image.Image {
	if p.Pixels.Err() != nil {
		return nil
	}
	im := image.NewRGBA(image.Rect(0, 0, p.Width, p.Height))
	for i := range p.Width * p.Height {
		row := p.Pixels.X.RawRowView(i)
		at := func(k int) uint8 { return uint8(255*row[k] + 0.5) }
		im.SetRGBA(i%p.Width, i/p.Width, color.RGBA{at(0), at(1), at(2), 255})
	}
	return im
}

// Rows divides a list with one class per pixel, such as the labels or a model's prediction, into
// the rows of the picture, from the top.
func (p *Picture) Rows(classes []int) [][]int {
	out := make([][]int, p.Height)
	for r := range out {
		out[r] = classes[r*p.Width : (r+1)*p.Width]
	}
	return out
}
