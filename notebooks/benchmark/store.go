package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// key names a row: who is rated on what.
type key struct {
	Set             string
	Task            string // what is known: byLabels, byPairs or byTarget
	Amount          int    // labels per class, pairs, or values
	Draw, Dims      int
	Method, Setting string // setting is "default" or "chosen"
}

// row has the scores of a method in one cell. What could not be measured is NaN.
type row struct {
	key
	// Options are those that differ from the defaults.
	Options string
	// Given are the dimensions that the method gave: fewer than asked for where a method has no
	// more, those of the data for what is no map.
	Given int
	// Near and NearHeld are the accuracies of the nearest labelled sample on the unlabelled
	// samples of the training side and on the test side; Probe and ProbeHeld those of a linear
	// probe, and Own that of the method's own classes on the unlabelled samples. With pairs all
	// training samples are the labelled ones, each without itself. Of a target they are R².
	Near, NearHeld, Probe, ProbeHeld, Own float64
	// Trust is the trustworthiness of 10 neighbours and Kept the share of neighbours kept.
	Trust, Kept float64
	// Calibration is the expected calibration error of probabilities, in 10 bins.
	Calibration float64
	// Seconds is the processor time of the fit, with the choice of options where they are chosen;
	// it is the time of a clock where the system does not tell processor time.
	Seconds float64
	// Failure is the reason if there are no scores.
	Failure string
}

var columns = []string{"set", "task", "amount", "draw", "dims", "method", "setting", "options", "given", "near", "near_held",
	"probe", "probe_held", "own", "trust", "kept", "calibration", "seconds", "failure"}

// numbers points to the scores of a row, in the order of the columns from near on.
func (r *row) numbers() []*float64 {
	return []*float64{&r.Near, &r.NearHeld, &r.Probe, &r.ProbeHeld, &r.Own, &r.Trust, &r.Kept, &r.Calibration, &r.Seconds}
}

// unrated returns a row without any score.
func unrated(k key) row {
	r := row{key: k}
	for _, v := range r.numbers() {
		*v = math.NaN()
	}
	return r
}

func (r row) record() []string {
	out := []string{r.Set, r.Task, strconv.Itoa(r.Amount), strconv.Itoa(r.Draw), strconv.Itoa(r.Dims), r.Method, r.Setting, r.Options, strconv.Itoa(r.Given)}
	for _, v := range r.numbers() {
		text := ""
		if !math.IsNaN(*v) {
			text = strconv.FormatFloat(*v, 'g', 6, 64)
		}
		out = append(out, text)
	}
	return append(out, r.Failure)
}

// parseRow reads a record; it is an error where a number is none.
func parseRow(record []string) (row, error) {
	if len(record) != len(columns) {
		return row{}, fmt.Errorf("%d columns, want %d", len(record), len(columns))
	}
	var r row
	r.Set, r.Task, r.Method, r.Setting, r.Options, r.Failure = record[0], record[1], record[5], record[6], record[7], record[len(record)-1]
	var err error
	for k, to := range map[int]*int{2: &r.Amount, 3: &r.Draw, 4: &r.Dims, 8: &r.Given} {
		v, e := strconv.Atoi(record[k])
		*to, err = v, errors.Join(err, e)
	}
	for k, to := range r.numbers() {
		*to = math.NaN()
		if text := record[9+k]; text != "" {
			v, e := strconv.ParseFloat(text, 64)
			*to, err = v, errors.Join(err, e)
		}
	}
	return r, err
}

// store is a file of rows, each appended as soon as it is known.
type store struct {
	file *os.File
	rows []row
	done map[key]bool
	// slow has the least number of samples on which a method did not end.
	slow map[string]int
}

// notEnded begins the failure of a fit that took too long.
const notEnded = "not ended"

// take notes a row.
func (s *store) take(r row) {
	s.rows, s.done[r.key] = append(s.rows, r), true
	var limit string
	var n int
	if _, err := fmt.Sscanf(r.Failure, notEnded+" after %s on %d samples", &limit, &n); err == nil {
		if least, known := s.slow[r.Method]; !known || n < least {
			s.slow[r.Method] = n
		}
	}
}

// openStore reads the rows of a file, which need not exist. What follows the last whole line is
// the rest of a run that was killed, and is cut off.
func openStore(name string) (*store, error) {
	raw, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	whole := raw[:strings.LastIndexByte(string(raw), '\n')+1]
	s := &store{done: map[key]bool{}, slow: map[string]int{}}
	rows, err := parse(whole)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, r := range rows {
		s.take(r)
	}
	if s.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	if err := s.file.Truncate(int64(len(whole))); err != nil {
		return nil, err
	}
	if len(whole) == 0 {
		_, err = io.WriteString(s.file, line(columns))
	}
	return s, err
}

// parse reads a file of rows, with its line of columns.
func parse(raw []byte) ([]row, error) {
	records, err := csv.NewReader(strings.NewReader(string(raw))).ReadAll()
	if err != nil || len(records) == 0 {
		return nil, err
	}
	if !slices.Equal(records[0], columns) {
		return nil, fmt.Errorf("other columns than those of this program: %v", records[0])
	}
	rows := make([]row, 0, len(records)-1)
	for k, record := range records[1:] {
		r, err := parseRow(record)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", k+1, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// line writes a record as a line of CSV.
func line(record []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(record) // a strings.Builder takes all
	w.Flush()
	return b.String()
}

// put appends a row by one write, unless it is there.
func (s *store) put(r row) error {
	if s.done[r.key] {
		return nil
	}
	// A failure is one line, so that a whole line is a whole row.
	r.Failure = strings.Join(strings.Fields(r.Failure), " ")
	if _, err := io.WriteString(s.file, line(r.record())); err != nil {
		return err
	}
	s.take(r)
	return nil
}

// merge takes over the rows of another file.
func (s *store) merge(name string) error {
	raw, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	rows, err := parse(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, r := range rows {
		if err := s.put(r); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) close() error { return s.file.Close() }

// shard is the k-th of n parts of the work.
type shard struct{ k, n int }

func parseShard(text string) (shard, error) {
	var s shard
	if _, err := fmt.Sscanf(text, "%d/%d", &s.k, &s.n); err != nil || s.k < 1 || s.n < s.k {
		return s, fmt.Errorf("-shard %q: give k/n with 1 ≤ k ≤ n, such as 1/8", text)
	}
	return s, nil
}
