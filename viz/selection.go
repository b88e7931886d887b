package viz

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/chart"
	"github.com/ssdrnb/ssdrnb/viz/look"
	"github.com/ssdrnb/ssdrnb/viz/store"
)

// ErrSelection is the error for a stored selection that is missing or damaged, or that was made on
// other data.
var ErrSelection = errors.New("viz: stored selection")

// SelectedSamples contains the samples that a reader selected in a figure and stored under a name.
type SelectedSamples struct {
	name        string
	data        string // name of the data
	samples     int    // number of samples of the data
	fingerprint string // fingerprint of the data, "" if unknown
	rows        []int
	err         error
	told        *sync.Once // so that err is printed only once
}

// Selection returns the samples that a reader selected with the lasso or the box in a figure of
// this notebook, and stored under the given name, with this or an earlier kernel. If there is no
// such selection, if it is damaged, or if the name is invalid, the Err method of the result returns
// an error that wraps [ErrSelection]. Fitting a method to the data that Apply returns then fails
// with the same error.
//
//	rows := viz.Selection("odd ones").Rows()                            // ascending
//	model, err := ssdrnb.TRSDA().Fit(viz.Selection("odd ones").Apply(digits))
//	viz.Embedding(whole).Highlight(rows...).Show()
func Selection(name string) SelectedSamples {
	fail := func(remedy, format string, args ...any) SelectedSamples {
		return SelectedSamples{name: name, told: new(sync.Once), err: advice.Errorf(remedy, "%w: "+format, append([]any{ErrSelection}, args...)...)}
	}
	file := store.Selection + name
	path, err := store.Path(file)
	if err != nil {
		return fail("give another name", "%w", err)
	}
	raw := store.Newest(path, file)
	if raw == nil {
		return fail(store.Instead(store.Selection, "select samples with the lasso or the box of a figure, and store them under this name"), "there is none called %q for this notebook", name)
	}
	s, err := parseSelection(raw)
	if err != nil {
		return fail("choose another name, or move "+store.Beside(file)+" away", "%q: %w", name, err)
	}
	s.name = name
	return s
}

// storedSelection is the file of a selection, which the page writes.
type storedSelection struct {
	Format      int    `json:"format"`
	Data        string `json:"data"`
	Samples     int    `json:"samples"`
	Fingerprint string `json:"fingerprint"`
	Rows        []int  `json:"rows"`
}

func parseSelection(raw []byte) (s SelectedSamples, err error) {
	var in storedSelection
	if err := json.Unmarshal(raw, &in); err != nil || in.Format != 1 {
		return s, errors.New("the file is damaged or from another version")
	}
	if len(in.Rows) == 0 {
		return s, errors.New("the selection has no samples")
	}
	slices.Sort(in.Rows)
	in.Rows = slices.Compact(in.Rows)
	if first, last := in.Rows[0], in.Rows[len(in.Rows)-1]; first < 0 {
		return s, fmt.Errorf("the selection contains row %d; rows are numbered from 0", first)
	} else if last >= in.Samples {
		return s, fmt.Errorf("the selection contains row %d, but the data have %s, numbered from 0", last, nouns.Count(in.Samples, "sample"))
	}
	return SelectedSamples{data: in.Data, samples: in.Samples, fingerprint: in.Fingerprint, rows: in.Rows}, nil
}

// Err returns the error if the selection could not be read, and nil otherwise.
func (s SelectedSamples) Err() error { return s.err }

// Rows returns the selected rows of the data, ascending, or nil if the selection could not be read.
// Some figures take nil to mean all samples. In a notebook, Rows and Apply therefore print the
// error once.
func (s SelectedSamples) Rows() []int {
	s.tell()
	return slices.Clone(s.rows)
}

// tell prints the error once, in a notebook only.
func (s SelectedSamples) tell() {
	if s.err != nil {
		s.told.Do(func() { _ = files.Tell("viz", "", "", s.err) })
	}
}

// Apply returns the selected samples of d, see [data.Data.Subset]. d must contain the samples of
// the figure in the same order. Its features may be scaled differently, and its labels may differ.
// For other data, the Err method of the returned data gives the reason why they do not match.
func (s SelectedSamples) Apply(d *data.Data) *data.Data {
	if d.Err() != nil {
		return d
	}
	if s.err != nil {
		s.tell()
		return data.Failed(d.Name, s.err)
	}
	if d.Len() != s.samples {
		return data.Failed(d.Name, advice.Errorf("use the same data in the same order", "%w: the selection %q was made on other data (%s), not on these data (%s)", ErrSelection, s.name, s.origin(), nouns.Count(d.Len(), "sample")))
	}
	if s.fingerprint != "" && fingerprint(d) != s.fingerprint {
		return data.Failed(d.Name, advice.Errorf("use the same data in the same order", "%w: the selection %q was made on other data (%s), and the features or the order of these samples differ", ErrSelection, s.name, s.origin()))
	}
	return d.Subset(s.rows)
}

// origin describes the data on which the selection was made: the name of the data and the number of
// samples.
func (s SelectedSamples) origin() string {
	return strings.Join(present(s.data, nouns.Count(s.samples, "sample")), ", ")
}

// String returns the number of selected samples and the data, or the error.
func (s SelectedSamples) String() string {
	if s.err != nil {
		return s.err.Error()
	}
	text := fmt.Sprintf("%s: %d of %s", s.name, len(s.rows), nouns.Count(s.samples, "sample"))
	if s.data != "" {
		text += " of " + s.data
	}
	return text
}

// fingerprint uses at most printedRows pairs of rows and printedFeatures features.
const (
	printedRows     = 2048
	printedFeatures = 64
)

// fingerprint identifies samples and their order, to link figures of the same samples. For pairs of
// successive rows and for each feature, it hashes whether the second row has the larger value.
// Scaling does not change this comparison. The fingerprint of data without samples is "".
func fingerprint(d *data.Data) string {
	if d.X == nil || d.X.IsEmpty() {
		return ""
	}
	n, features := d.X.Dims()
	h := sha256.New()
	fmt.Fprintf(h, "%d×%d|", n, features)
	var bits byte
	count := 0
	for i := 0; i+1 < n; i += 1 + (n-1)/printedRows {
		a, b := d.X.RawRowView(i), d.X.RawRowView(i+1)
		for k := 0; k < features; k += 1 + (features-1)/printedFeatures {
			bits <<= 1
			if a[k] < b[k] {
				bits |= 1
			}
			if count++; count%8 == 0 {
				_, _ = h.Write([]byte{bits})
			}
		}
	}
	_, _ = h.Write([]byte{bits})
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// identity returns what the page needs to link a panel to others, to store a selection, and to
// write the code that fits the method to a selection.
func (p *panel) identity() chart.Identity {
	out := chart.Identity{Name: p.name, N: p.n, Data: cut(p.data.Name)}
	if p.data.Len() == p.n {
		out.Print = fingerprint(p.data)
	}
	if m, ok := p.model.(interface{ Spec() ssdrnb.Spec }); ok {
		out.Code = look.Literal(m.Spec())
	}
	return out
}
