// Command moving writes the animation of the README, notebooks/moving.svg. Five penguins are
// labelled one after another, and the map is updated after each label.
//
//	go run ./notebooks/moving > notebooks/moving.svg
//
// ssdrnb.Suggest selects each penguin to label. The animation does not jump, because all maps have
// the same centre and scale, and each map is rotated or reflected onto the previous one.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

func main() {
	frames, err := film()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(drawn(frames)); err != nil {
		log.Fatal(err)
	}
}

const (
	asked         = 5 // number of labels
	width, height = 640, 400
	margin, top   = 26, 62
	hold, turn    = 1.6, 0.9 // seconds for which a map rests, and seconds of the movement to the next map
)

// frame is the map after some labels.
type frame struct {
	positions *mat.Dense // n×2
	// color is the class of the nearest labelled sample in the map. While fewer than two classes
	// are known, it is −1 except for labelled samples.
	color []int
	label []int    // −1 where hidden
	name  []string // names of the classes
	count int
	right float64 // share of unlabelled samples whose colour is their true class
}

// film fits a map without labels, and then one map after each new label.
func film() ([]frame, error) {
	birds, err := datasets.Penguins().Data(datasets.Label("Species"), datasets.Without("Sample Number", "Comments"))
	if err != nil {
		return nil, err
	}
	d := birds.HideLabels()
	labels := make([]int, d.Len())
	for i := range labels {
		labels[i] = -1
	}
	var frames []frame
	for count := 0; ; {
		// A supervised map needs two classes. While fewer are known, PCA computes the map.
		m, err := ssdrnb.PCA().Fit(d)
		if classes(labels) > 1 {
			m, err = ssdrnb.TRSDA().Fit(d)
		}
		if err != nil {
			return nil, err
		}
		f := frame{positions: mat.DenseCopyOf(m.Embedding()), label: append([]int(nil), labels...), count: count}
		centre(f.positions)
		if len(frames) > 0 {
			turned(f.positions, frames[len(frames)-1].positions)
		}
		f.color, f.right = colored(f.positions, labels, birds.Truth)
		f.name = birds.ClassNames
		frames = append(frames, f)
		if count == asked {
			return frames, nil
		}
		next, err := ssdrnb.Suggest(context.Background(), d, 1)
		if err != nil {
			return nil, err
		}
		labels[next[0]] = birds.Truth[next[0]]
		d = d.WithLabels(append([]int(nil), labels...))
		count++
	}
}

func classes(labels []int) int {
	seen := map[int]bool{}
	for _, l := range labels {
		if l >= 0 {
			seen[l] = true
		}
	}
	return len(seen)
}

// centre subtracts the mean and divides by the root mean square distance from the mean.
func centre(y *mat.Dense) {
	n, _ := y.Dims()
	for k := range 2 {
		mean := mat.Sum(y.ColView(k)) / float64(n)
		for i := range n {
			y.Set(i, k, y.At(i, k)-mean)
		}
	}
	if size := mat.Norm(y, 2); size > 0 {
		y.Scale(math.Sqrt(float64(n))/size, y)
	}
}

// turned rotates or reflects y so that it is as close as possible to the previous map.
func turned(y, before *mat.Dense) {
	var product, r, u, v mat.Dense
	product.Mul(y.T(), before)
	var svd mat.SVD
	if !svd.Factorize(&product, mat.SVDFull) {
		return
	}
	svd.UTo(&u)
	svd.VTo(&v)
	r.Mul(&u, v.T())
	y.Mul(mat.DenseCopyOf(y), &r)
}

func colored(y *mat.Dense, labels, truth []int) (color []int, right float64) {
	n, _ := y.Dims()
	color = make([]int, n)
	hidden, several := 0.0, classes(labels) > 1
	for i := range n {
		best := math.Inf(1)
		color[i] = -1
		for j, l := range labels {
			if dist := math.Hypot(y.At(i, 0)-y.At(j, 0), y.At(i, 1)-y.At(j, 1)); l >= 0 && dist < best && (several || i == j) {
				best, color[i] = dist, l
			}
		}
		if labels[i] < 0 {
			hidden++
			if color[i] == truth[i] {
				right++
			}
		}
	}
	return color, right / hidden
}

// drawn returns the frames as an SVG that is animated by CSS alone, without scripts. If the reader
// prefers reduced motion, the SVG shows the last map.
func drawn(frames []frame) []byte {
	var b bytes.Buffer
	whole := float64(len(frames))*(hold+turn) + hold
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" font-family="system-ui,sans-serif">`+"\n", width, height)
	last := frames[len(frames)-1]
	fmt.Fprintf(&b, "<title>344 penguins: five are named, and the map follows until %.0f %% of the others have the colour of their species</title>\n<style>\n", 100*last.right)
	b.WriteString("svg{background:#fff}text{fill:#222}.s{font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:3px}.r{fill-opacity:0;stroke:#222;stroke-width:2}\n")
	b.WriteString("@media(prefers-color-scheme:dark){svg{background:#111}text{fill:#eee}.s{stroke:#111}.r{stroke:#fff}}\n")
	share := func(s float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", 100*s/whole), ".0") + "%" }
	var move, caption bytes.Buffer
	for k := range frames {
		from, to := float64(k)*(hold+turn), float64(k)*(hold+turn)+hold
		if k == len(frames)-1 {
			to = whole
		}
		fmt.Fprintf(&move, "%s,%s{transform:translate(var(--x%d),var(--y%d));fill:var(--c%d)}", share(from), share(to), k, k, k)
		// The class name and the ring of a new label appear first, and then the map moves.
		began, ended := share(max(from-turn, 0)), share(to)
		if k == len(frames)-1 {
			ended = "100%"
		}
		fmt.Fprintf(&caption, "@keyframes t%d{0%%{opacity:%d}%s{opacity:1}%s{opacity:%d}}.t%[1]d{animation:t%[1]d %.1[6]fs infinite step-end}\n", k, bit(k == 0), began, ended, bit(k == len(frames)-1), whole)
		fmt.Fprintf(&caption, "@keyframes r%d{0%%{opacity:%d}%s{opacity:1}}.r%[1]d{animation:m %.1[4]fs infinite ease-in-out,r%[1]d %.1[4]fs infinite step-end}\n", k, bit(k == 0), began, whole)
	}
	fmt.Fprintf(&b, "@keyframes m{%s}\ncircle{animation:m %.1fs infinite ease-in-out}\n%s", move.String(), whole, caption.String())
	fmt.Fprintf(&b, "@media(prefers-reduced-motion:reduce){circle,circle.r{animation:none;transform:translate(var(--x%d),var(--y%[1]d));fill:var(--c%[1]d)}.s{animation:none;opacity:1;transform:translate(var(--x%[1]d),var(--y%[1]d));fill:var(--c%[1]d)}.r{opacity:1}.t{animation:none;opacity:0}.t%[1]d{opacity:1}}\n", len(frames)-1)
	b.WriteString("</style>\n")
	for k, f := range frames {
		said := "344 penguins, none named: the map shows where they vary most"
		if classes(f.label) > 1 {
			said = fmt.Sprintf("%d named: %.0f %% of the others have the colour of their species", f.count, 100*f.right)
		} else if f.count > 0 {
			said = fmt.Sprintf("%d named: one species cannot be told from another yet", f.count)
		}
		fmt.Fprintf(&b, `<text class="t t%d" x="%d" y="36" font-size="19">%s</text>`+"\n", k, margin, said)
	}
	palette := []string{"#0072b2", "#e69f00", "#009e73"}
	n, _ := last.positions.Dims()
	var above bytes.Buffer // rings of labelled samples, and class names
	named := map[int]bool{}
	for i := range n {
		var style []string
		for k, f := range frames {
			color := "#999"
			if f.color[i] >= 0 {
				color = palette[f.color[i]]
			}
			scale, mid := box(f.positions)
			x := width/2 + scale*(f.positions.At(i, 0)-mid[0])
			y := top + (height-top-margin)/2 - scale*(f.positions.At(i, 1)-mid[1])
			style = append(style, fmt.Sprintf("--x%d:%.0fpx;--y%d:%.0fpx;--c%d:%s", k, x, k, y, k, color))
		}
		fmt.Fprintf(&b, `<circle r="3.5" fill-opacity=".8" style="%s"/>`+"\n", strings.Join(style, ";"))
		for k, f := range frames {
			if f.label[i] >= 0 { // the sample is labelled in frame k
				fmt.Fprintf(&above, `<circle class="r r%d" r="8" style="%s"/>`+"\n", k, strings.Join(style, ";"))
				if class := f.label[i]; !named[class] {
					named[class] = true
					name, _, _ := strings.Cut(f.name[class], " ")
					fmt.Fprintf(&above, `<text class="s r%d" x="12" y="5" font-size="15" style="%s">%s</text>`+"\n", k, strings.Join(style, ";"), name)
				}
				break
			}
		}
	}
	b.Write(above.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func bit(on bool) int {
	if on {
		return 1
	}
	return 0
}

// box returns the scale and the centre with which a map fits into the picture.
func box(y *mat.Dense) (scale float64, mid [2]float64) {
	scale = math.Inf(1)
	for k, room := range []float64{width - 2*margin, height - top - margin} {
		column := mat.Col(nil, k, y)
		lo, hi := slices.Min(column), slices.Max(column)
		mid[k], scale = lo/2+hi/2, min(scale, room/(hi-lo))
	}
	return scale, mid
}
