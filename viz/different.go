package viz

import (
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/bounds"
	"github.com/ssdrnb/ssdrnb/viz/chart"
)

// Contrast returns a copy that compares a reader's selection with all other samples or with a
// second selection. While the lasso moves, a list below the figure shows the ten features and
// attributes with the largest effects (see [ssdrnb.Contrast]), and their medians in the user's
// units. Next to each effect, a mark shows the 90 % quantile of this effect over random regions of
// the embedding. For images, the page shows the effect at each pixel and the mean images.
//
// The figure stores each value of a feature or attribute in one byte; at most 8,000,000 values are
// allowed. Contrast requires two dimensions. It works only with the notebook extension, which
// install.sh installs, and in exported pages.
func (f Figure) Contrast() Figure {
	return f.restyled("Contrast", func(s *style) { s.contrast = contrasted })
}

// contrasted sets, for each panel, the features and attributes by which the page compares
// selections.
func contrasted(panels []*panel) error {
	known, err := ofData("Contrast", panels, contrastSheet)
	if err != nil {
		return err
	}
	total := 0
	for d, c := range known {
		total += d.Len() * len(c.Columns)
	}
	for _, p := range panels {
		p.contrast = known[p.data]
	}
	if total > bounds.Bytes {
		return fmt.Errorf("viz: Contrast: the samples have %d values, more than the %d that a page compares; draw a subset with Data.Subset, or call ssdrnb.Contrast in a cell", total, bounds.Bytes)
	}
	return nil
}

// contrastSheet returns the features and attributes of samples, one byte per value.
func contrastSheet(d *data.Data) (*chart.Contrast, error) {
	columns := d.Dim() + len(d.Attributes)
	if columns > bounds.Cells {
		return nil, fmt.Errorf("the samples have %d features and attributes, more than the %d that a page compares; call ssdrnb.Contrast in a cell", columns, bounds.Cells)
	}
	if columns*d.Len() > 2*bounds.Bytes {
		return nil, fmt.Errorf("the samples have %d values, more than the %d that a page compares; draw a subset with Data.Subset, or call ssdrnb.Contrast in a cell", columns*d.Len(), bounds.Bytes)
	}
	s, err := ssdrnb.NewContrastSheet(d)
	if err != nil {
		return nil, err
	}
	out := &chart.Contrast{Columns: make([]chart.Compared, len(s.Columns)), Centers: s.Centers}
	at := map[int]int{}
	for k, c := range s.Columns {
		one := chart.Compared{Name: cut(c.Name), Of: base64.StdEncoding.EncodeToString(c.Of), Date: c.Date, Outside: !c.InPicture}
		if c.Values == nil {
			one.Levels = make([]float64, len(c.Levels))
			written := column{number: c.Levels}.written()
			for i, v := range c.Levels {
				if err := moderate(c.Name, v); err != nil {
					return nil, err
				}
				one.Levels[i] = written(v)
			}
		} else {
			one.Names = upTo(40, c.Values)
		}
		out.Columns[k] = one
		if c.Feature >= 0 {
			at[c.Feature] = k
		}
	}
	if im := d.Image; !im.IsZero() && im.Height*im.Width == d.Dim() && max(im.Height, im.Width) <= bounds.Bars {
		out.Image = &[2]int{im.Height, im.Width}
		for r := range im.Height {
			for c := range im.Width {
				column, ok := at[im.At(r, c)]
				if !ok { // no numeric column contains this feature
					column = -1
				}
				out.Pixels = append(out.Pixels, column)
			}
		}
	}
	return out, nil
}

// contrasts adds the features and attributes of all panels to out. Panels with the same data share
// one entry.
func contrasts(out *chart.Samples, panels []*panel) {
	for k, p := range panels {
		if p != nil && p.contrast != nil {
			out.Panels[k].Contrast = findOrAppend(&out.Contrasts, p.contrast)
		}
	}
}

// ofData calls of(d) once for each data set d of the panels, and returns the results by data set.
// It returns an error if an embedding has one dimension, or if a model and its data have different
// numbers of samples. Error messages contain what, the name of the Figure method.
func ofData[T any](what string, panels []*panel, of func(*data.Data) (T, error)) (map[*data.Data]T, error) {
	known := map[*data.Data]T{}
	for _, p := range panels {
		if p.d < 2 {
			return nil, errOneDimension(what, p)
		}
		if p.data.Len() != p.n {
			return nil, fmt.Errorf("viz: %s: the model of %s has %s, but its data have %d; fit it again", what, p.name, nouns.Count(p.n, "sample"), p.data.Len())
		}
		if _, ok := known[p.data]; ok {
			continue
		}
		v, err := of(p.data)
		if err != nil {
			return nil, errorAt(what+": ", err)
		}
		known[p.data] = v
	}
	return known, nil
}

// findOrAppend returns the index of v in a list, as a pointer to a new variable. If the list does
// not contain v yet, findOrAppend appends it.
func findOrAppend[T comparable](list *[]T, v T) *int {
	at := slices.Index(*list, v)
	if at < 0 {
		at = len(*list)
		*list = append(*list, v)
	}
	return &at
}
