package stage

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Finished is the embedding of a method of a bench at one position of the dials, computed in the
// cell because the fit would be slow in a page.
type Finished struct {
	Method int    `json:"method"`        // index of the method
	Run    int    `json:"run,omitempty"` // from 0; added to the seed of the method
	Dials  []int  `json:"dials"`         // position of each dial
	Dims   int    `json:"dims"`
	At     Packed `json:"at"` // Dims coordinates of each sample in turn
	// Fresh contains the positions of the new samples; nil without new samples.
	Fresh *Packed `json:"fresh,omitempty"`
}

// maxFinished bounds the number of embeddings sent with a bench.
const maxFinished = 60

// Finish fits the methods at all positions of the dials. If Runs is set, it also fits all runs of
// the first method. It stores the embeddings and omits failed fits.
func (s *BenchSpec) Finish(ctx context.Context, d *data.Data) error {
	b, err := openBench(*s, "", d)
	if err != nil {
		return err
	}
	if s.Weights || slices.Contains(s.Meters, MeterPieces) {
		return fmt.Errorf("weights and pieces need the models of a bench, but Finished sends only their pictures; leave out Finished")
	}
	positions, runs := 1, 1
	for _, d := range s.Dials {
		positions *= len(d.Values)
	}
	if s.Runs {
		runs = MaxPanels
	}
	if n := positions * (len(s.Bench) - 1 + runs); n > maxFinished {
		return fmt.Errorf("a bench of %d pictures is too large to send; give dials with fewer values, for at most %d pictures", n, maxFinished)
	}
	s.Finished = nil
	for p := range positions {
		m := b.first.Clone()
		for k, d := range s.Dials {
			m.dials[k] = p % len(d.Values)
			p /= len(d.Values)
		}
		set := b.settings(&m)
		l, err := b.dataAt(set, &m)
		if err != nil {
			return err
		}
		for k, one := range s.Bench {
			for run := range runs {
				if one.Method == nil || k > 0 && run > 0 || k != b.shown(set)[0] && b.dial(DialMethod) >= 0 {
					continue
				}
				r, err := b.fit(ctx, k, run, l, set, &m)
				if err != nil {
					return err
				}
				if r.failed == nil {
					_, dims := r.y.Dims()
					f := Finished{Method: k, Run: run, Dials: slices.Clone(m.dials), Dims: dims, At: packRows(r.y)}
					if r.fresh != nil {
						fresh := packRows(r.fresh)
						f.Fresh = &fresh
					}
					s.Finished = append(s.Finished, f)
				}
			}
		}
	}
	return nil
}

func (b *bench) openFinished() error {
	if n := len(b.spec.Finished); n > maxFinished {
		return fmt.Errorf("%d finished pictures are too many; give at most %d", n, maxFinished)
	}
	b.finished = map[string]*result{}
	for _, f := range b.spec.Finished {
		if f.Method < 0 || f.Method >= len(b.spec.Bench) || f.Run < 0 || f.Run >= MaxPanels || len(f.Dials) != len(b.spec.Dials) {
			return fmt.Errorf("a finished picture has the method number %d, the run number %d (counted from 0) and %d dials, but the bench has %d methods, up to %d runs, and %d dials",
				f.Method, f.Run, len(f.Dials), len(b.spec.Bench), MaxPanels, len(b.spec.Dials))
		}
		m := b.first.Clone()
		for k, d := range b.spec.Dials {
			if f.Dials[k] < 0 || f.Dials[k] >= len(d.Values) {
				return fmt.Errorf("a finished picture is at position %d of the dial %q, which has the positions 0 to %d", f.Dials[k], d.Name, len(d.Values)-1)
			}
			m.dials[k] = f.Dials[k]
		}
		r := &result{}
		var err error
		if r.y, err = f.At.rows(f.Dims); err == nil && f.Fresh != nil {
			r.fresh, err = f.Fresh.rows(f.Dims)
		}
		if err != nil {
			return err
		}
		b.finished[resultKey(f.Method, f.Run, b.settings(&m), &m)] = r
	}
	return nil
}

// take returns the embedding with the given cache key that was sent with the bench, and the classes
// that it predicts for l. It returns nil if there is no such embedding, or if its number of samples
// differs from that of l.
func (b *bench) take(name string, l *labelled) (*result, error) {
	f := b.finished[name]
	if f == nil || f.y.RawMatrix().Rows != l.d.Len() {
		return nil, nil
	}
	answers, err := answersBy(f.y, l.labels)
	r := &result{y: f.y, answers: answers}
	if l.fresh != nil && f.fresh != nil && f.fresh.RawMatrix().Rows == len(l.freshTruth) {
		r.setFresh(l, f.fresh)
	}
	return r, err
}

func packRows(y *mat.Dense) Packed { return pack(mat.DenseCopyOf(y).RawMatrix().Data) }

// rows decodes and validates packed positions.
func (p Packed) rows(dims int) (*mat.Dense, error) {
	n := len(p.Steps) / 2
	if dims < 1 || dims > 3 || n == 0 || n%dims != 0 || n/dims > maxBenched || len(p.Steps)%2 != 0 || !(p.Unit > 0 && p.Unit <= math.MaxFloat32) {
		return nil, fmt.Errorf("a finished picture has %d bytes, %d dimensions and the unit %v, but it needs two bytes for each coordinate, 1 to %d samples, 1 to 3 dimensions, and a positive unit of single precision", len(p.Steps), dims, p.Unit, maxBenched)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = p.Unit * float64(int16(binary.LittleEndian.Uint16(p.Steps[2*i:])))
	}
	return mat.NewDense(n/dims, dims, out), nil
}

func resultKey(method, run int, set map[string]float64, m *benchMoves) string {
	return fmt.Sprint(method, run) + key(set, m)
}
