package plot

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/folders"
)

// The program's fonts contain Latin, Greek and Cyrillic letters. Other characters are drawn with
// fonts that are installed on the computer. These fonts are searched only if such a character
// occurs.

// fontFolders returns the folders in the environment variable SSDRNB_FONTS, which are separated as
// in PATH, followed by the font folders of the operating system. A system folder is left out if the
// variable that locates it is missing or contains a relative path, because the folder would then be
// in the working folder.
var fontFolders = func() []string {
	home, _ := folders.Home()
	var system []string
	switch runtime.GOOS {
	case "windows":
		system = []string{filepath.Join(os.Getenv("WINDIR"), "Fonts"), filepath.Join(os.Getenv("LOCALAPPDATA"), "Microsoft", "Windows", "Fonts")}
	case "darwin":
		system = []string{"/System/Library/Fonts", "/Library/Fonts", filepath.Join(home, "Library", "Fonts")}
	default:
		own, _ := folders.Data()
		shared := os.Getenv("XDG_DATA_DIRS")
		if shared == "" {
			shared = "/usr/local/share:/usr/share"
		}
		for _, data := range append([]string{own}, filepath.SplitList(shared)...) {
			system = append(system, filepath.Join(data, "fonts"))
		}
		system = append(system, filepath.Join(home, ".fonts"))
	}
	system = slices.DeleteFunc(system, func(folder string) bool { return !filepath.IsAbs(folder) })
	return append(filepath.SplitList(os.Getenv("SSDRNB_FONTS")), system...)
}

// preferred lists fonts with a plain style and many characters, in the order in which they are
// tried. Each entry is a part of a file name in lower case, without spaces, hyphens or underscores.
var preferred = []string{
	"notosanscjk", "sourcehansans", "notosanssc", "notosanstc", "notosansjp", "notosanskr", "pingfang", "hiraginosansgb", "hiragino", "ヒラギノ角", "applesdgothic", "msyh", "yugoth", "malgun", "meiryo",
	"droidsansfallback", "wqy", "ipag", "takao", "nanumgothic", "simhei", "simsun", "msgothic", "msjh",
	"notosansarabic", "notosanshebrew", "geezapro", "sfarabic", "sfhebrew", "arialhb", "notoemoji", "seguiemj", "symbola", "seguisym",
	"notosans", "dejavusans", "segoeui", "arialunicode", "arial", "tahoma", "freesans", "unifont",
}

// Limits of the search for a character. Searching one file takes a millisecond.
const (
	maxFonts     = 500       // font files that are searched
	maxFontBytes = 256 << 20 // size of a font file
	maxListed    = 20_000    // files and folders that are listed to find font files
)

// fontFiles returns the font files, preferred fonts first.
func fontFiles() []string {
	var out []string
	seen := 0
	for _, folder := range fontFolders() {
		if folder == "" {
			continue
		}
		filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil // ignore an unreadable folder
			}
			if seen++; seen > maxListed {
				return fs.SkipAll
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
				out = append(out, path)
			}
			return nil
		})
	}
	place := func(path string) int {
		name := strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(filepath.Base(path)))
		rank := len(preferred)
		if k := slices.IndexFunc(preferred, func(part string) bool { return strings.Contains(name, part) }); k >= 0 {
			rank = k
		}
		rank *= 4
		for k, style := range []string{"mono", "bold", "italic", "oblique", "light", "thin", "black", "condensed"} {
			if strings.Contains(name, style) {
				rank += 1 + min(k, 2)
				break
			}
		}
		return rank
	}
	ranks := map[string]int{}
	for _, path := range out {
		ranks[path] = place(path)
	}
	slices.SortStableFunc(out, func(a, b string) int {
		if d := ranks[a] - ranks[b]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return out[:min(len(out), maxFonts)]
}

// foreign is a font installed on the computer.
type foreign struct {
	*sfnt.Font
	buffer sfnt.Buffer
	unit   int // units per em
}

// fontSearch is the state of the search for fonts on the computer: the font files, the fonts in
// use, and the fonts found for characters. It is safe for concurrent use.
type fontSearch struct {
	sync.Mutex
	listed bool
	files  []string
	fonts  map[string]*foreign // fonts in use, by file and language
	glyphs map[wanted]found
	open   []io.Closer // files of the fonts in use, open until the program ends
	// misses counts the characters that no font contains, by block (see the function block). The
	// count is −1 if a font contains a character of the block.
	misses map[int]int
}

// wanted is a character to find, with its style and language.
type wanted struct {
	r        rune
	bold     bool
	language string
}

// found is the font and the glyph of a character. The font is nil if no font contains the
// character.
type found struct {
	font  *foreign
	glyph sfnt.GlyphIndex
}

var system = &fontSearch{}

// block returns the number of the character block that contains r. A font usually contains all
// characters of a block or none.
func block(r rune) int {
	switch {
	case r >= 0x2e80 && r < 0xa000, r >= 0xf900 && r < 0xfb00, r >= 0xff00 && r < 0xfff0:
		return -1 // Chinese and Japanese
	case r >= 0xac00 && r < 0xd800:
		return -2 // Korean
	case r >= 0x1f000 && r < 0x20000, r >= 0x2600 && r < 0x27c0:
		return -3 // emoji
	}
	return int(r) >> 8
}

// language returns the language that selects the regional forms of Chinese characters in a text:
// JP, KR, SC, TC or HK. The name of a font with these forms ends with this code. The first Japanese
// or Korean letter in the text determines the language. If there is none, the system language does.
func language(text string) string {
	for _, r := range text {
		switch {
		case r >= 0x3040 && r < 0x3100:
			return "JP"
		case r >= 0xac00 && r < 0xd7b0:
			return "KR"
		}
	}
	for _, name := range []string{"LC_ALL", "LANG"} {
		for start, word := range map[string]string{"ja": "JP", "ko": "KR", "zh_TW": "TC", "zh_HK": "HK"} {
			if strings.HasPrefix(os.Getenv(name), start) {
				return word
			}
		}
	}
	return "SC"
}

// find returns the font and the glyph of a wanted character. It searches for each character only
// once.
func (s *fontSearch) find(w wanted) found {
	s.Lock()
	defer s.Unlock()
	if f, known := s.glyphs[w]; known {
		return f
	}
	if !s.listed {
		s.listed, s.files = true, fontFiles()
		s.fonts, s.glyphs, s.misses = map[string]*foreign{}, map[wanted]found{}, map[int]int{}
	}
	const most = 4 // number of missing characters after which the rest of a block is skipped
	f, b := found{}, block(w.r)
	if s.misses[b] < most {
		f = s.search(w)
	}
	switch {
	case f.font != nil:
		s.misses[b] = -1
	case s.misses[b] >= 0:
		s.misses[b]++
	}
	s.glyphs[w] = f
	return f
}

// search looks for a character in the font files. It uses the bold file of a font if bold text is
// wanted and the file exists.
func (s *fontSearch) search(w wanted) found {
	for _, path := range s.files {
		f := s.searchFile(path, w)
		if f.font == nil {
			continue
		}
		if bold := strings.Replace(path, "Regular", "Bold", 1); w.bold && bold != path {
			if b := s.searchFile(bold, w); b.font != nil {
				return b
			}
		}
		return f
	}
	return found{}
}

// searchFile searches a font file for a character. The file may contain fonts for several
// languages.
func (s *fontSearch) searchFile(path string, w wanted) (hit found) {
	defer func() {
		if recover() != nil { // a damaged font must not end a program
			hit = found{}
		}
	}()
	id := path + " " + w.language
	if f := s.fonts[id]; f != nil {
		return f.lookup(w.r)
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFontBytes {
		return found{}
	}
	file, err := os.Open(path)
	if err != nil {
		return found{}
	}
	best := found{}
	if all, err := sfnt.ParseCollectionReaderAt(file); err == nil {
		for k := range all.NumFonts() {
			one, err := all.Font(k)
			if err != nil || one.UnitsPerEm() < 16 {
				continue
			}
			f := &foreign{Font: one, unit: int(one.UnitsPerEm())}
			name, _ := one.Name(&f.buffer, sfnt.NameIDFamily)
			suits := strings.HasSuffix(name, " "+w.language)
			if hit := f.lookup(w.r); hit.font != nil && (best.font == nil || suits) {
				if best = hit; suits {
					break
				}
			}
		}
	}
	if best.font == nil {
		file.Close()
		return found{}
	}
	s.fonts[id], s.open = best.font, append(s.open, file)
	return best
}

// lookup looks up a character in the font. The result has no font if the font lacks the character
// or if its glyph has no outline.
func (f *foreign) lookup(r rune) found {
	g, err := f.GlyphIndex(&f.buffer, r)
	if err != nil || g == 0 {
		return found{}
	}
	if _, err := f.LoadGlyph(&f.buffer, g, fixed.I(f.unit), nil); err != nil {
		return found{} // the glyph is a colour bitmap instead of an outline
	}
	return found{f, g}
}

// advance returns the advance width of a glyph in em.
func (f *foreign) advance(g sfnt.GlyphIndex) float64 {
	system.Lock()
	defer system.Unlock()
	a, err := f.GlyphAdvance(&f.buffer, g, fixed.I(f.unit), font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(a) / 64 / float64(f.unit)
}

// stretch is a part of a closed curve: a line, a parabola or a cubic curve, with one, two or three
// points. It runs from the last point of the previous part to its own last point.
type stretch []Point

// contours returns the closed curves of a glyph in em.
func (f *foreign) contours(g sfnt.GlyphIndex) [][]stretch {
	system.Lock()
	defer system.Unlock()
	segments, err := f.LoadGlyph(&f.buffer, g, fixed.I(f.unit), nil)
	if err != nil {
		return nil
	}
	var out [][]stretch
	for _, s := range segments {
		n := map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}[s.Op]
		if s.Op == sfnt.SegmentOpMoveTo {
			out = append(out, nil)
		}
		if n == 0 || len(out) == 0 {
			continue
		}
		part := make(stretch, n)
		for k := range part {
			part[k] = Point{float64(s.Args[k].X) / 64 / float64(f.unit), -float64(s.Args[k].Y) / 64 / float64(f.unit)}
		}
		last := len(out) - 1
		out[last] = append(out[last], part)
	}
	return out
}

// flat converts a closed curve to a polygon.
func flat(contour []stretch, place func(Point) Point) []Point {
	var out []Point
	var from Point
	for _, s := range contour {
		end := s[len(s)-1]
		const steps = 5
		for k := 1; k <= steps && len(s) > 1; k++ {
			t := float64(k) / steps
			u := 1 - t
			at := Point{u*u*from.X + 2*u*t*s[0].X + t*t*s[1].X, u*u*from.Y + 2*u*t*s[0].Y + t*t*s[1].Y}
			if len(s) == 3 {
				a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
				at = Point{a*from.X + b*s[0].X + c*s[1].X + d*s[2].X, a*from.Y + b*s[0].Y + c*s[1].Y + d*s[2].Y}
			}
			out = append(out, place(at))
		}
		if len(s) == 1 {
			out = append(out, place(end))
		}
		from = end
	}
	return out
}
