package ssdrnb

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/contrast"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// ContrastSheet holds the columns that [Contrast] compares, with one byte per sample and column.
// Figures send it to the browser, which compares the groups that the user selects. Treat it as
// read-only.
type ContrastSheet struct {
	Columns []ContrastColumn
	// Centers are the indices of the samples at the centres of the regions of [ContrastTable.In].
	Centers []int
}

// ContrastColumn is a feature or an attribute, in its original units.
type ContrastColumn struct {
	Name string
	// Of maps each sample to an index into Levels or Values. 255 marks a missing value, and
	// len(Values) a text that is not compared.
	Of []uint8
	// Levels are the numbers in ascending order: all distinct values, or the medians of 255
	// quantile bins. Date is true if they are days since 1970-01-01.
	Levels []float64
	Date   bool
	// Values are the compared texts, at most 50. It is nil for numbers. It is empty, but not nil,
	// for an attribute that is not compared, because all its values are missing, or because it has
	// more than two texts and all are different.
	Values []string
	// InPicture is true for features, and for attributes from which a feature was made.
	InPicture bool
	// Feature is the index of the feature in the data, −1 for attributes.
	Feature int
}

// NewContrastSheet returns the columns of d that [Contrast] compares. Effects computed from binned
// levels ignore pairs of samples in the same bin, about one pair in 255.
//
// If d is nil or invalid, the error wraps [ErrData].
func NewContrastSheet(d *data.Data) (*ContrastSheet, error) {
	if d == nil {
		return nil, contrastFault("data", nil, fmt.Errorf("%w: the data are nil", ErrData), "pass data from NewData or package datasets")
	}
	if err := cmp.Or(d.Err(), d.Validate()); err != nil {
		return nil, contrastFault("data", nil, classify(err), remedyOf(err))
	}
	features := contrastFeatures(d)
	s := &ContrastSheet{make([]ContrastColumn, len(features)), centersOf(d)}
	par.Blocks(len(features), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			f := features[k]
			c := &s.Columns[k]
			c.Name, c.Date, c.InPicture, c.Feature = f.Title, f.Date, f.Feature, f.Place
			if f.Texts == nil {
				c.Levels, c.Of = contrast.Levels(f.Numbers)
				continue
			}
			texts := contrast.NewTexts(f.Texts)
			c.Values, c.Of = append([]string{}, texts.Values...), make([]uint8, len(texts.Of))
			for i, v := range texts.Of {
				if c.Of[i] = contrast.NoLevel; v >= 0 {
					c.Of[i] = uint8(v)
				}
			}
		}
	})
	return s, nil
}

// centersOf returns the samples at the centres of the random regions, at most guardRegions, drawn
// with the seed of the data.
func centersOf(d *data.Data) []int {
	centers := rand.New(rand.NewPCG(d.Draw().Seed, 0)).Perm(d.Len())
	return centers[:min(guardRegions, len(centers))]
}
