package ssdrnb

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// The cache of neighbours: see [Remember].

// The results of searchNeighbors are cached if costlySearch reports true. Tests replace both
// variables to count calls and to cache cheap searches.
var (
	searchNeighbors = graph.Search
	costlySearch    = graph.Costly
)

// neighborsLimit is the maximum memory for cached neighbours in a process, in bytes.
const neighborsLimit = 256 << 20

// searched holds recent neighbours found in this process, the most recently used at the end.
var searched struct {
	sync.Mutex
	found []knownNeighbors
}

type knownNeighbors struct {
	key string
	*graph.Neighbors
}

// sizeOf returns the size of the neighbours in bytes: each takes 4 for its index and 8 for its
// distance.
func sizeOf(nb *graph.Neighbors) int64 { return 12 * int64(len(nb.Index)) }

// remembered returns the cached neighbours, or searches for them and caches the result of a long
// search.
func (s neighborsStep) remembered(w *work) (*graph.Neighbors, error) {
	if s.points == nil {
		return s.related(w)
	}
	if !costlySearch(s.points.Dims()) {
		return searchNeighbors(w.ctx, s.points, s.k, s.search)
	}
	key, memo := s.key(), currentMemo()
	if !s.fresh {
		if nb := recallNeighbors(key, s.k); nb != nil {
			return nb.Head(s.k), nil
		}
		if memo != nil {
			n, _ := s.points.Dims()
			if nb := memo.readNeighbors(key, n); nb != nil && nb.K >= s.k {
				rememberNeighbors(key, nb)
				return nb.Head(s.k), nil
			}
		}
	}
	nb, err := searchNeighbors(w.ctx, s.points, s.k, s.search)
	if err != nil {
		return nil, err
	}
	rememberNeighbors(key, nb)
	if memo != nil {
		if err := memo.writeNeighbors(key, nb); err != nil {
			w.warn("the neighbours could not be stored for reuse: %v", err)
		}
	}
	return nb, nil
}

// key identifies the search by samples and settings, but not by the number of neighbours.
func (s neighborsStep) key() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d|%s|neighbors|%v|%v|%g|%d|", fileFormat, codeVersion(), s.search.Method, s.search.Metric, s.search.Recall, s.search.Seed)
	hashMatrix(h, s.points)
	return hex.EncodeToString(h.Sum(nil))
}

// recallNeighbors returns lists of at least k neighbours per sample from the cache in memory, or
// nil.
func recallNeighbors(key string, k int) *graph.Neighbors {
	searched.Lock()
	defer searched.Unlock()
	i := slices.IndexFunc(searched.found, func(f knownNeighbors) bool { return f.key == key && f.K >= k })
	if i < 0 {
		return nil
	}
	f := searched.found[i]
	searched.found = append(slices.Delete(searched.found, i, i+1), f)
	return f.Neighbors
}

// rememberNeighbors caches neighbours in memory, and drops the least recently used ones above the
// limit.
func rememberNeighbors(key string, nb *graph.Neighbors) {
	searched.Lock()
	defer searched.Unlock()
	searched.found = slices.DeleteFunc(searched.found, func(f knownNeighbors) bool { return f.key == key })
	searched.found = append(searched.found, knownNeighbors{key, nb})
	total := int64(0)
	for i, f := range slices.Backward(searched.found) {
		if total += sizeOf(f.Neighbors); total > neighborsLimit {
			searched.found = slices.Delete(searched.found, 0, i+1)
			return
		}
	}
}

func forgetNeighbors() {
	searched.Lock()
	defer searched.Unlock()
	searched.found = nil
}

// neighborsHeader is the JSON header of a neighbours file. The file also contains the arrays index
// and distance, with n·k entries each, and the number k of neighbours per sample.
type neighborsHeader struct {
	Format int
	Key    string
	Method graph.Method
	Recall float64
}

// writeNeighbors stores neighbours on disk, unless they take more than half of the size limit of
// the folder.
func (m *memo) writeNeighbors(key string, nb *graph.Neighbors) error {
	if sizeOf(nb) > m.limit/2 {
		return nil
	}
	err := saveWhole("neighbours", m.path(key), func(w io.Writer) error {
		return writeArchive(w, "neighbors.json", neighborsHeader{fileFormat, key, nb.Method, nb.Recall},
			map[string]any{"index": nb.Index, "distance": nb.Dist, "k": []int64{int64(nb.K)}})
	})
	if err != nil {
		return err
	}
	return m.evict(filepath.Base(m.path(key)))
}

// readNeighbors returns the neighbours of n samples from the file for key, or nil if there is none.
func (m *memo) readNeighbors(key string, n int) *graph.Neighbors {
	return readKept(m.path(key), func(in io.ReaderAt, size int64) (*graph.Neighbors, error) { return decodeNeighbors(in, size, n, key) })
}

func decodeNeighbors(in io.ReaderAt, size int64, n int, key string) (*graph.Neighbors, error) {
	var h neighborsHeader
	arrays, err := readArchive(in, size, "neighbors.json", &h)
	if err != nil {
		return nil, err
	}
	index, dist, count := arrays["index"], arrays["distance"], arrays["k"]
	if h.Format != fileFormat || h.Key != key || index == nil || dist == nil || count == nil || !(h.Recall > 0 && h.Recall <= 1) {
		return nil, errors.New("not a neighbour file")
	}
	of, err := outofsample.Wholes(index, 0, n-1)
	if err != nil {
		return nil, err
	}
	k := count.At(0, 0)
	nb := &graph.Neighbors{K: int(k), Dist: dist.RawMatrix().Data, Method: h.Method, Recall: h.Recall, Index: make([]int32, len(of))}
	if k != math.Trunc(k) || k < 1 || k >= float64(n) || len(nb.Dist) != n*nb.K || len(of) != n*nb.K {
		return nil, fmt.Errorf("there are %d indices and %d distances, which do not match %g neighbours for each of %d samples", len(of), len(nb.Dist), k, n)
	}
	for a, i := range of {
		if nb.Index[a] = int32(i); !(nb.Dist[a] >= 0) || a%nb.K > 0 && nb.Dist[a] < nb.Dist[a-1] {
			return nil, fmt.Errorf("the distance %g is out of order", nb.Dist[a])
		}
	}
	return nb, nil
}
