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
	"time"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// key identifies a row: the method, the data and the task.
type key struct {
	Set             string
	Task            string // kind of known values: byLabels, byPairs or byTarget
	Amount          int    // labels per class, number of pairs, or number of values
	Draw, Dims      int
	Method, Setting string // Setting is "default", "chosen" or "tried k"
}

// row contains the scores of a method in one cell. A cell is one draw from a data set, with one
// kind of known values. A score that could not be measured is NaN.
type row struct {
	key
	// Options are the options that differ from the defaults.
	Options string
	// Given is the number of dimensions of the result. It is below Dims if the method allows only
	// fewer dimensions. It is the number of features for the baseline "features", and 0 for methods
	// that only predict classes.
	Given int
	// Near is the accuracy with which the nearest labelled sample in the map predicts the classes
	// of the unlabelled training samples. Probe is the accuracy of a linear classifier on the map,
	// see [probe]. NearHeld and ProbeHeld are the same accuracies on the test samples. Own is the
	// accuracy of the classes that the method itself predicts for the unlabelled training samples.
	// In the task with pairs, Near is the accuracy with which each training sample is predicted
	// from the others, and Probe is NaN. For a target, the scores are R², and Own is NaN.
	Near, NearHeld, Probe, ProbeHeld, Own float64
	// Trust is the trustworthiness for 10 neighbours, and Kept is the share of nearest neighbours
	// in the data that are also nearest neighbours in the map.
	Trust, Kept float64
	// Calibration is the expected calibration error of probabilities, in 10 bins.
	Calibration float64
	// Seconds is the processor time of the fit, including the choice of options if they are chosen.
	// On systems that do not report processor time, it is elapsed time.
	Seconds float64
	// Failure is the reason why there are no scores, or "".
	Failure string
}

var columns = []string{"set", "task", "amount", "draw", "dims", "method", "setting", "options", "given", "near", "near_held",
	"probe", "probe_held", "own", "trust", "kept", "calibration", "seconds", "failure"}

// numbers returns pointers to the scores of a row. They have the order of the names in `columns`,
// beginning with "near".
func (r *row) numbers() []*float64 {
	return []*float64{&r.Near, &r.NearHeld, &r.Probe, &r.ProbeHeld, &r.Own, &r.Trust, &r.Kept, &r.Calibration, &r.Seconds}
}

// unrated returns a row without scores.
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

// parseRow parses a record. It returns an error if the number of fields is wrong, or if a field is
// not a number where one is required.
func parseRow(record []string) (row, error) {
	if len(record) != len(columns) {
		return row{}, fmt.Errorf("the row has %s instead of %d", nouns.Count(len(record), "column"), len(columns))
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

// store is a file of rows. Each row is appended as soon as it is measured.
type store struct {
	file *os.File
	rows []row
	done map[key]bool
	// slow contains, for each method, the time limits that it exceeded.
	slow map[string][]exceeded
}

// exceeded is a time limit that a method exceeded on n samples.
type exceeded struct {
	limit time.Duration
	n     int
}

// tooSlow reports whether a method exceeded the given limit, or a larger one, on n samples or
// fewer. It returns the smallest such number of samples.
func (s *store) tooSlow(method string, limit time.Duration, n int) (least int, slow bool) {
	least = n
	for _, e := range s.slow[method] {
		if e.limit >= limit && e.n <= least {
			least, slow = e.n, true
		}
	}
	return least, slow
}

// notEnded is the beginning of the failure text of a fit that took too long.
const notEnded = "not ended"

// take records a row in memory.
func (s *store) take(r row) {
	s.rows, s.done[r.key] = append(s.rows, r), true
	var text string
	var e exceeded
	if _, err := fmt.Sscanf(r.Failure, notEnded+" after %s on %d samples", &text, &e.n); err != nil {
		return
	}
	if limit, err := time.ParseDuration(text); err == nil {
		e.limit = limit
		s.slow[r.Method] = append(s.slow[r.Method], e)
	}
}

// wholeLines reads the complete lines of a CSV file with the given columns. `cut` is true if an
// interrupted write left text after these lines.
func wholeLines(name string, columns []string) (lines []byte, cut bool, err error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, false, err
	}
	lines = raw[:strings.LastIndexByte(string(raw), '\n')+1]
	if header := line(columns); len(lines) == 0 && !strings.HasPrefix(header, string(raw)) {
		return nil, false, fmt.Errorf("%s: the first line is not the header %s", name, strings.Join(columns, ","))
	}
	return lines, len(lines) < len(raw), nil
}

// readRows reads the complete rows of a file. It also returns the length of their lines.
func readRows(name string) (rows []row, length int, err error) {
	lines, _, err := wholeLines(name, columns)
	if err != nil {
		return nil, 0, err
	}
	if rows, err = parse(lines); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	return rows, len(lines), nil
}

// openStore reads the rows of a file, which need not exist. Text after the last complete line is
// from an interrupted write and is removed.
func openStore(name string) (*store, error) {
	rows, length, err := readRows(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	s := &store{done: map[key]bool{}, slow: map[string][]exceeded{}}
	for _, r := range rows {
		s.take(r)
	}
	if s.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	if err := s.file.Truncate(int64(length)); err != nil {
		return nil, err
	}
	if length == 0 {
		_, err = io.WriteString(s.file, line(columns))
	}
	return s, err
}

// below returns the records of a CSV file below its header line, which must contain the columns. An
// empty file has no records.
func below(raw []byte, columns []string) ([][]string, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	records, err := csv.NewReader(strings.NewReader(string(raw))).ReadAll()
	switch {
	case err != nil:
		return nil, err
	case len(records) == 0:
		return nil, errors.New("there is no header line")
	case !slices.Equal(records[0], columns):
		return nil, fmt.Errorf("the columns are %v, not those that this program writes", records[0])
	}
	return records[1:], nil
}

// parse parses a file of rows, including the header line.
func parse(raw []byte) ([]row, error) {
	records, err := below(raw, columns)
	if err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(records))
	for k, record := range records {
		r, err := parseRow(record)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", k+1, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// line formats a record as a line of CSV.
func line(record []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(record) // writes to a strings.Builder never fail
	w.Flush()
	return b.String()
}

// put appends a row with a single write, unless the row exists.
func (s *store) put(r row) error {
	if s.done[r.key] {
		return nil
	}
	// A failure text is kept on one line, so that one line is one row.
	r.Failure = strings.Join(strings.Fields(r.Failure), " ")
	if _, err := io.WriteString(s.file, line(r.record())); err != nil {
		return err
	}
	s.take(r)
	return nil
}

// merge adds the complete rows of another file.
func (s *store) merge(name string) error {
	rows, _, err := readRows(name)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := s.put(r); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) close() error { return s.file.Close() }

// shard is part k of n parts of the work.
type shard struct{ k, n int }

func parseShard(text string) (shard, error) {
	k, n, _ := strings.Cut(text, "/")
	var s shard
	var bad [2]error
	s.k, bad[0] = strconv.Atoi(k)
	s.n, bad[1] = strconv.Atoi(n)
	if errors.Join(bad[:]...) != nil || s.k < 1 || s.n < s.k {
		return s, fmt.Errorf("-shard %q: give k/n with 1 ≤ k ≤ n, such as 1/8", text)
	}
	return s, nil
}
