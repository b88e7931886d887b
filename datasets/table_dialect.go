package datasets

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// A dialect consists of the separator, the quote and the line ends of a text table. sniff chooses
// the dialect with the highest score on the first part of a text. The score is the product of two
// factors: the consistency of row lengths, and the share of cells that are numbers, dates, gaps or
// plain words (van den Burg, Nazábal, Sutton, "Wrangling messy CSV files by detecting row and type
// patterns", Data Mining and Knowledge Discovery 33, 2019). Unlike in the paper, the consistency is
// measured by the effective number of row lengths, so that a few lines before and after the table
// have little influence.

// sampleBytes and sampleRows bound the part of a file from which the dialect is guessed.
const (
	sampleBytes = 256 << 10
	sampleRows  = 1000
)

// separators lists the separators that sniff tries. The score of a dialect is multiplied by the
// weight of its separator. Colons have a low weight because they occur in times, and spaces because
// they occur in texts.
var separators = []struct {
	sep    string
	weight float64
}{{",", 1}, {"\t", 1}, {";", 1}, {"|", 0.98}, {" ", 0.8}, {"::", 0.95}, {":", 0.6}, {"~", 0.8}, {"^", 0.8}, {"\x1f", 1}, {"\x01", 1}}

// sniff chooses the dialect of a text. sep and quote are given by the user, or nil for detection.
func sniff(text []byte, sep *string, quote *byte) dialect {
	// Skip leading lines that contain no letters or digits: they are blank or contain only
	// separators and quotes.
	if at := bytes.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(" \t\r\n,;|\"'", r) }); at > 0 {
		text = text[1+bytes.LastIndexAny(text[:at], "\r\n"):]
	}
	sample := text[:min(len(text), sampleBytes)]
	var base dialect
	lf := bytes.Count(sample, []byte{'\n'})
	base.cr = bytes.Count(sample, []byte{'\r'})-bytes.Count(sample, []byte("\r\n")) > 2*lf || lf == 0 && bytes.IndexByte(sample, '\r') >= 0
	if len(sample) < len(text) { // drop an incomplete line at the end
		if end := bytes.LastIndexByte(sample, '\n'); end > 0 && !base.cr {
			sample = sample[:end+1]
		}
	}
	var quotes []byte
	switch {
	case quote != nil:
		quotes = []byte{*quote}
	default:
		for _, q := range []byte{'"', '\''} {
			if bytes.IndexByte(sample, q) >= 0 {
				quotes = append(quotes, q)
			}
		}
		if !slices.Contains(quotes, '"') {
			quotes = append([]byte{'"'}, quotes...) // later rows may contain double quotes
		}
		quotes = append(quotes, 0)
	}
	best, top := base, -1.0
	// everywhere is true if, with one of the separators tried so far, double quotes occur only
	// around cells, and around at least one cell per two rows.
	everywhere := false
	best.quote = quotes[0]
	for _, s := range separators {
		if sep != nil {
			s.sep, s.weight = *sep, 1
		} else if !bytes.Contains(sample, []byte(s.sep)) && !(s.sep == " " && bytes.IndexByte(sample, '\t') >= 0) {
			continue
		}
		closed := everywhere // with this separator, double quotes occur only around cells
		for _, q := range quotes {
			if q == 0 && closed && quote == nil {
				continue // without quotes, separators within quoted cells would divide these cells
			}
			for _, backslash := range []bool{false, true} {
				if backslash && (q == 0 || !bytes.Contains(sample, []byte{'\\', q})) {
					continue
				}
				how := dialect{s.sep, q, backslash, base.cr}
				score, quoted := dialectScore(sample, how)
				score *= s.weight
				if q == '"' {
					closed, everywhere = closed || quoted > 0, everywhere || quoted >= 0.5
				}
				if q == '\'' {
					score *= 0.98
				}
				if score > top*(1+1e-9) {
					best, top = how, score
				}
			}
		}
		if sep != nil {
			break
		}
	}
	// A text without a consistent separator is a single column.
	if sep == nil && top < 0.1 {
		single := base
		for k, q := range quotes {
			how := dialect{"", q, false, base.cr}
			if score, _ := dialectScore(sample, how); k == 0 || score > top {
				single, top = how, score
			}
		}
		return single
	}
	return best
}

// dialectScore rates a dialect from 0 to 1. quoted is the mean number of quoted cells per row,
// counting only cells with more than one character between the quotes. It is 0 if any quotes in the
// sample are unescaped or never closed.
func dialectScore(sample []byte, how dialect) (score, quoted float64) {
	g, err := scan(sample, how, sampleRows, nil)
	if err != nil {
		return 0, 0
	}
	rows := 0
	lengths := map[int32]int{}
	cells, known := 0, 0.0
	for _, r := range g.rows {
		filled := 0
		for j := range int(r.n) {
			s := g.span(r, j)
			if len(s) == 0 {
				continue
			}
			b := g.text(r, j)
			if len(b) == 0 {
				continue
			}
			if len(s) > 3 && s[0] == how.quote && how.quote != 0 {
				quoted++
			}
			filled++
			cells++
			known += cellScore(b, how)
		}
		if filled == 0 {
			continue
		}
		rows++
		lengths[r.n]++
	}
	if rows == 0 {
		return 0, 0
	}
	pattern, spread := 0.0, 0.0
	// Add in sorted order, so that rounding errors are reproducible.
	for _, n := range slices.Sorted(maps.Keys(lengths)) {
		share := float64(lengths[n]) / float64(rows)
		spread += share * share
		if how.sep == "" {
			pattern += share
		} else {
			pattern += share * float64(n-1) / float64(n)
		}
	}
	if quoted /= float64(rows); g.odd+g.opened > 0 {
		quoted = 0
	}
	wrong := float64(g.odd+2*g.opened) / float64(cells)
	return pattern * spread * known / float64(cells) * max(0, 1-wrong), quoted
}

// cellScore rates from 0 to 1 how plausible it is that a cell is a single value.
func cellScore(b []byte, how dialect) float64 {
	first, last := b[0], b[len(b)-1]
	if how.sep == " " && (first == ',' || last == ',' || first == ';' || last == ';') {
		return 0.1 // the true separator is probably the comma or semicolon, and a space follows it
	}
	kind, _ := classify(b)
	if kind != textCell {
		return 1
	}
	if (first == '"' || last == '"') && how.quote != '"' || first == '\'' && last == '\'' && how.quote != '\'' {
		return 0.1
	}
	score := 0.95
	for i, c := range b {
		switch c {
		case '\t', '|':
			score = min(score, 0.3)
		case ',', ';':
			if i+1 < len(b) && b[i+1] != ' ' {
				score = min(score, 0.4)
			} else {
				score = min(score, 0.8)
			}
		case '\n':
			score = min(score, 0.7)
		}
	}
	return score
}
