package plot

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fontOf is the built-in font with another character map: each character has the glyph of one of
// its letters.
func fontOf(chars map[rune]rune) []byte {
	f := regular()
	cmap := []byte{0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0}
	u32 := func(to []byte, v int) []byte { return binary.BigEndian.AppendUint32(to, uint32(v)) }
	cmap = u32(u32(u32(cmap, 16+12*len(chars)), 0), len(chars))
	var runes []rune
	for r := range chars {
		runes = append(runes, r)
	}
	for k := range runes { // ascending
		for j := k; j > 0 && runes[j] < runes[j-1]; j-- {
			runes[j], runes[j-1] = runes[j-1], runes[j]
		}
	}
	for _, r := range runes {
		cmap = u32(u32(u32(cmap, int(r)), int(r)), f.glyph(chars[r]))
	}
	names := []string{"OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"}
	out := []byte{0, 1, 0, 0, 0, byte(len(names)), 0, 128, 0, 3, 0, 32}
	var body []byte
	for _, name := range names {
		table := f.tables[name]
		if name == "cmap" {
			table = cmap
		}
		out = append(out, name...)
		out = u32(u32(u32(out, 0), 12+16*len(names)+len(body)), len(table))
		body = append(append(body, table...), make([]byte, -len(table)&3)...)
	}
	return append(out, body...)
}

// collection returns a font collection with the single font.
func collection(font []byte) []byte {
	out := append([]byte("ttcf\x00\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x10"), font...)
	for k := range int(binary.BigEndian.Uint16(font[4:])) { // offsets are from the start of the file
		at := out[16+12+16*k+8:]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+16)
	}
	return out
}

// withFonts makes the files the only fonts of the system.
func withFonts(t *testing.T, files map[string][]byte) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, was := fontFolders, system
	fontFolders, system = func() []string { return []string{dir, filepath.Join(dir, "no such folder")} }, &fontSearch{}
	t.Cleanup(func() {
		for _, f := range system.open {
			f.Close()
		}
		fontFolders, system = before, was
	})
}

// written is the image of a text.
func written(text string, bold bool) *Pixels {
	p := NewPixels(120, 30, 96)
	p.Text(Point{4, 8}, Text{Color: color.Black, Size: 16, Bold: bold}, text)
	return p
}

// Characters missing in the built-in font come from system fonts, in any file format; if no font
// has them, they are noted.
func TestFontsOfTheComputer(t *testing.T) {
	font := fontOf(map[rune]rune{'猫': 'M', 'ހ': 'a', 'ށ': 'b', 'ﺑ': 'x', 'ت': 'y', 0x1f436: 'Q'})
	for name, content := range map[string][]byte{"some.ttf": font, "deep/folder/some.OTF": font, "some.ttc": collection(font)} {
		t.Run(name, func(t *testing.T) {
			withFonts(t, map[string][]byte{name: content, "a damaged.ttf": font[:len(font)/3], "empty.ttf": nil, "notes.txt": []byte("no font")})
			for text, same := range map[string]string{"猫 1": "M 1", "🐶": "Q", "ހށ": "ba", "A ހށ 1": "A 1 ba", "بت": "yx"} {
				got, want := written(text, false), written(same, false)
				if math.Abs(ink(got)-ink(want)) > 0.5 {
					t.Errorf("%q has ink %.2f, and %q %.2f", text, ink(got), same, ink(want))
				}
				if len(got.Lacks()) > 0 {
					t.Errorf("%q lacks %q", text, string(got.Lacks()))
				}
				if w, v := (Text{Size: 10}).Width(text), (Text{Size: 10}).Width(same); w < v-0.01 || w > v+0.01 {
					t.Errorf("%q is %.3f wide, and %q %.3f", text, w, same, v)
				}
			}
			p := written("猫 犬 ع", false)
			if got := string(p.Lacks()); got != "犬ﻉ" {
				t.Errorf("lacks %q", got)
			}
		})
	}
}

// Bold text uses the bold file of its font.
func TestBoldFontOfTheComputer(t *testing.T) {
	withFonts(t, map[string][]byte{"Some-Regular.ttf": fontOf(map[rune]rune{'猫': 'l', '犬': 'o'}), "Some-Bold.ttf": fontOf(map[rune]rune{'猫': 'M'})})
	for _, c := range []struct {
		text, same string
		bold       bool
	}{{"猫", "M", true}, {"猫", "l", false}, {"犬", "o", true}} {
		if got, want := ink(written(c.text, c.bold)), ink(written(c.same, false)); math.Abs(got-want) > 0.5 {
			t.Errorf("%s, bold %v: ink %.2f, want that of %s, %.2f", c.text, c.bold, got, c.same, want)
		}
	}
}

// Without fonts every character has a box, the search ends, and nothing fails.
func TestNoFonts(t *testing.T) {
	withFonts(t, nil)
	p := written("猫ހلا", false)
	if got := string(p.Lacks()); !strings.Contains(got, "猫") || !strings.Contains(got, "ހ") {
		t.Errorf("lacks %q", got)
	}
	if ink(p) == 0 {
		t.Error("no box")
	}
	if got := (&Words{}); true {
		got.Text(Point{}, Text{Size: 1}, "a猫")
		if string(got.Lacks()) != "猫" {
			t.Errorf("words lack %q", string(got.Lacks()))
		}
	}
}

// A PDF has the outlines of foreign characters, and their text, also for characters drawn as boxes.
func TestForeignCharactersInPDF(t *testing.T) {
	withFonts(t, map[string][]byte{"some.ttf": fontOf(map[rune]rune{'猫': 'M', 0x1f436: 'Q', 'ﺑ': 'x', 'ﻼ': 'u'})})
	p := NewPDF(100, 50, 1)
	p.Text(Point{5, 5}, Text{Color: color.Black, Size: 10, Edge: Line{Color: color.White, Width: 2}}, "a猫🐶猫 犬 بـ لا")
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, part := range regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindAllStringSubmatch(b.String(), -1) {
		if z, err := zlib.NewReader(strings.NewReader(part[1])); err == nil {
			body, _ := io.ReadAll(z)
			all.Write(body)
		}
	}
	for _, want := range []string{"732b>", "d83ddc36>", "72ac>", "0628>", "/D0 10 Tf"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("the PDF lacks %s", want)
		}
	}
	if got := strings.Count(b.String(), "/Subtype /Type3"); got != 1 {
		t.Errorf("%d fonts of drawings", got)
	}
	if got := string(p.Lacks()); !strings.Contains(got, "犬") || strings.Contains(got, "猫") {
		t.Errorf("lacks %q", got)
	}
}

// If the fonts of this system are Noto fonts, they have Chinese, Japanese and Korean characters
// with cubic outlines.
func TestNoto(t *testing.T) {
	found := false
	for _, path := range fontFiles() {
		found = found || strings.Contains(path, "NotoSansCJK")
	}
	if !found {
		t.Skip("no Noto Sans CJK on this computer")
	}
	p := written("猫かな한국", false)
	if len(p.Lacks()) > 0 || ink(p) < 50 {
		t.Errorf("lacks %q, ink %.1f", string(p.Lacks()), ink(p))
	}
}

// Font folders can be given.
func TestFoldersOfFonts(t *testing.T) {
	t.Setenv("SSDRNB_FONTS", "first"+string(os.PathListSeparator)+"second")
	if got := fontFolders(); len(got) < 4 || got[0] != "first" || got[1] != "second" {
		t.Errorf("folders %q", got)
	}
}

// Without absolute paths in the user's variables no font is read from the working folder.
func TestFoldersAreAbsolute(t *testing.T) {
	for _, folder := range []string{"", ".", "fonts"} {
		for _, name := range []string{"HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_DATA_DIRS", "WINDIR", "LOCALAPPDATA"} {
			t.Setenv(name, folder)
		}
		t.Setenv("SSDRNB_FONTS", "")
		for _, got := range fontFolders() {
			if !filepath.IsAbs(got) {
				t.Errorf("with %q for the user's folders, fonts are searched in %q", folder, got)
			}
		}
	}
}

// Scripts drawn letter by letter are reported.
func TestLettersApart(t *testing.T) {
	withFonts(t, map[string][]byte{"some.ttf": fontOf(map[rune]rune{'क': 'M', 'ि': 'Q'})})
	for text, want := range map[string]bool{"कि": true, "abc מת": false} {
		if got := written(text, false); got.Apart() != want {
			t.Errorf("%q: letters apart %v", text, got.Apart())
		}
	}
}

// A program's own font takes precedence over system fonts.
func TestOwnFontFirst(t *testing.T) {
	withFonts(t, nil)
	written("Latin, Ελληνικά, Кириллица ≥ …", true)
	if system.listed {
		t.Error("folders are listed for letters that the program's font has")
	}
}
