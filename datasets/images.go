package datasets

import (
	"bufio"
	"fmt"
	"image"
	_ "image/gif" // these imports register the decoders of ReadImages
	_ "image/jpeg"
	_ "image/png"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	_ "golang.org/x/image/bmp"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// maxPixels is the largest number of pixels of an image. It is checked before decoding.
const maxPixels = 64 << 20

// readable lists the extensions of supported image files. The map unreadable contains the names of
// unsupported formats by extension. The decoders of unsupported formats are not linked, because
// linking them would slow down every notebook cell.
var (
	readable   = []string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".pgm"}
	unreadable = map[string]string{".tif": "TIFF", ".tiff": "TIFF", ".webp": "WebP", ".heic": "HEIC", ".avif": "AVIF", ".jp2": "JPEG 2000",
		".ppm": "PPM", ".pnm": "PNM", ".pbm": "PBM", ".svg": "SVG"}
)

// ReadImages reads a folder of PNG, JPEG, GIF (the first frame), BMP and PGM images as grey values
// from 0 to 255, one image per row. Images in other known formats are skipped, and counted in a
// note. Each sub-folder is a class. Classes are in the order of the folder names, by value if all
// names are numbers. Images in the folder itself come last and are unlabelled. If there are no
// sub-folders, there are no labels. All images must have the same size. Their total memory is
// limited by [data.SetReadLimit].
func ReadImages(folder string) (*data.Data, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, files.Unopened(folder, err)
	}
	var classes []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			classes = append(classes, e.Name())
		}
	}
	sortNames(classes)
	places := append(slices.Clone(classes), "") // "" stands for the folder itself
	budget := files.NewBudget()
	var values []float64
	var labels []int
	var shape data.Image
	passed := map[string]int{}
	for c, class := range places {
		if class == "" {
			c = data.Unlabelled
		}
		files, err := os.ReadDir(filepath.Join(folder, class))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			ext := strings.ToLower(filepath.Ext(f.Name()))
			if kind := unreadable[ext]; kind != "" && !f.IsDir() {
				passed[kind]++
			}
			if f.IsDir() || !slices.Contains(readable, ext) {
				continue
			}
			path := filepath.Join(folder, class, f.Name())
			row, size, err := readImage(path, ext, budget)
			if err != nil {
				return nil, err
			}
			if shape.IsZero() {
				shape = size
			}
			if size != shape {
				return nil, advice.With("resize all pictures to one size", bad(ErrFormat, path, "the picture has %d×%d pixels, but the first has %d×%d", size.Width, size.Height, shape.Width, shape.Height))
			}
			values, labels = append(values, row...), append(labels, c)
		}
	}
	if values == nil {
		if len(passed) > 0 {
			return nil, advice.With("save pictures as PNG", bad(ErrUnsupported, folder, "the folder has only %s", passedOver(passed)))
		}
		return nil, bad(ErrFormat, folder, "the folder has no PNG, JPEG, GIF, BMP or PGM picture")
	}
	x := mat.NewDense(len(labels), shape.Height*shape.Width, values)
	if classes == nil {
		labels = nil
	}
	d := data.New(x, labels)
	d.Name, d.ClassNames, d.Image = filepath.Base(folder), classes, shape
	if len(passed) > 0 {
		d.Notes = append(d.Notes, passedOver(passed)+" skipped; save such pictures as PNG to have them read")
	}
	return d, d.Err()
}

// passedOver returns a note with the number of skipped images of each format.
func passedOver(kinds map[string]int) string {
	if len(kinds) == 1 {
		for kind, n := range kinds {
			return fmt.Sprintf("%s in an unsupported format (%s)", nouns.Count(n, "picture"), kind)
		}
	}
	var all int
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		all += kinds[kind]
		parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], kind))
	}
	return nouns.Count(all, "picture") + " in unsupported formats (" + strings.Join(parts, ", ") + ")"
}

// guessSide is the smallest side of a detected image in pixels. Smaller squares are not detected,
// because many tables have 16 or 25 features.
const guessSide = 8

// withImage applies [guessImage] to the result of a reader.
func withImage(d *data.Data, err error, columnMajor bool) (*data.Data, error) {
	if err != nil {
		return nil, err
	}
	return guessImage(d, columnMajor), nil
}

// guessImage sets the image layout of d if its rows look like square images. columnMajor means that
// pixels are in column-major order; a line of pixels is then a column of the image. All values must
// be whole numbers from 0 to 255, or numbers from −1 to 1. Adjacent pixels, both within a line and
// between two lines, must be more similar than two arbitrary pixels of an image. The mean squared
// differences in these two directions may differ by at most a factor of 4. Adjacent pixels of two
// lines must also be more similar than two pixels half a line apart. This excludes curves that are
// cut into lines.
func guessImage(d *data.Data, columnMajor bool) *data.Data {
	side := int(math.Round(math.Sqrt(float64(d.Dim()))))
	if d.Err() != nil || !d.Image.IsZero() || side < guessSide || side*side != d.Dim() {
		return d
	}
	const looked = 500 // number of samples examined
	n, step := d.Len(), max(1, d.Len()/looked)
	low, high, whole := math.Inf(1), math.Inf(-1), true
	var along, half, across, anywhere float64 // sums of squared differences: between adjacent pixels of a line, pixels half a line apart, adjacent pixels of two lines, and all pixels
	for i := 0; i < n; i += step {
		row := d.X.RawRowView(i)
		mean, square := 0.0, 0.0
		for k, v := range row {
			low, high, whole = min(low, v), max(high, v), whole && v == math.Trunc(v)
			mean, square = mean+v, square+v*v
			if k%side > 0 {
				along += (v - row[k-1]) * (v - row[k-1])
			}
			if k%side >= side/2 {
				half += (v - row[k-side/2]) * (v - row[k-side/2])
			}
			if k >= side {
				across += (v - row[k-side]) * (v - row[k-side])
			}
		}
		mean /= float64(len(row))
		anywhere += 2 * (square - float64(len(row))*mean*mean) // over all pairs of pixels
	}
	if !(low >= -1 && high <= 1 || low >= 0 && high <= 255 && whole) {
		return d
	}
	s := float64(side)
	// Convert the sums to means, up to a common factor.
	along, half, across, anywhere = along/(s-1), half/math.Ceil(s/2), across/(s-1), anywhere/s
	const alike, turned = 0.7, 4
	if !(along < alike*anywhere && across < min(alike*anywhere, half, turned*along) && along < turned*across) {
		return d
	}
	out := d.WithImage(data.Image{Height: side, Width: side, ColumnMajor: columnMajor})
	out.Notes = append(slices.Clone(d.Notes), fmt.Sprintf("rows treated as images of %d×%d pixels, undone by WithImage(data.Image{})", side, side))
	return out
}

func readImage(path, ext string, budget *files.Budget) ([]float64, data.Image, error) {
	f, _, err := files.Open(path)
	if err != nil {
		return nil, data.Image{}, err
	}
	defer f.Close()
	if ext == ".pgm" {
		return readPGM(f, path, budget)
	}
	config, _, err := image.DecodeConfig(f)
	if err != nil {
		return nil, data.Image{}, bad(ErrFormat, path, "%v", err)
	}
	if config.Width < 1 || config.Height < 1 || config.Width > maxPixels/config.Height {
		return nil, data.Image{}, bad(ErrFormat, path, "the size is out of range: %d×%d pixels", config.Width, config.Height)
	}
	if _, err := budget.TakeArray([]int{config.Height, config.Width}); err != nil {
		return nil, data.Image{}, tooLarge(path, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, data.Image{}, err
	}
	img, _, err := image.Decode(f)
	if err != nil {
		return nil, data.Image{}, bad(ErrFormat, path, "%v", err)
	}
	// The BMP decoder accepts pixels outside the palette, for which At panics.
	if p, ok := img.(*image.Paletted); ok && len(p.Pix) > 0 && int(slices.Max(p.Pix)) >= len(p.Palette) {
		return nil, data.Image{}, bad(ErrFormat, path, "a pixel has the colour index %d, but the palette has %s", slices.Max(p.Pix), nouns.Count(len(p.Palette), "colour"))
	}
	// The frame of a GIF may cover only a part of its screen. The rest of the screen is black.
	b, screen := img.Bounds(), image.Rect(0, 0, config.Width, config.Height)
	if b.Dx() == config.Width && b.Dy() == config.Height {
		screen = b
	}
	row := make([]float64, 0, config.Width*config.Height)
	for y := screen.Min.Y; y < screen.Max.Y; y++ {
		for x := screen.Min.X; x < screen.Max.X; x++ {
			var red, green, blue uint32
			if (image.Point{X: x, Y: y}).In(b) {
				red, green, blue, _ = img.At(x, y).RGBA()
			}
			// Most face sets were converted to grey by the luma of ITU-R BT.601. This form of the
			// luma is exact for grey pixels, although its weights do not add up to 1 in floating
			// point.
			r, g, bl := float64(red), float64(green), float64(blue)
			row = append(row, (g+0.299*(r-g)+0.114*(bl-g))/257)
		}
	}
	return row, data.Image{Height: config.Height, Width: config.Width}, nil
}

// readPGM reads a portable grey map, binary (P5) or text (P2), as grey values from 0 to 255.
func readPGM(r io.Reader, file string, budget *files.Budget) ([]float64, data.Image, error) {
	in := bufio.NewReader(r)
	var fields [4]string
	for k := range fields {
		if k == 1 && fields[0] != "P2" && fields[0] != "P5" {
			return nil, data.Image{}, advice.With("save it as PNG, or as P5 or P2", bad(ErrUnsupported, file, "the portable map has the type %q instead of P2 or P5", fields[0]))
		}
		var err error
		if fields[k], err = nextWord(in); err != nil {
			return nil, data.Image{}, bad(ErrFormat, file, "the header: %v", err)
		}
	}
	var w, h, top int
	if _, err := fmt.Sscan(fields[1]+" "+fields[2]+" "+fields[3], &w, &h, &top); err != nil || w < 1 || h < 1 || w > maxPixels/h || top < 1 || top > 65535 {
		return nil, data.Image{}, bad(ErrFormat, file, "the header %q is not valid", fields)
	}
	if _, err := budget.TakeArray([]int{h, w}); err != nil {
		return nil, data.Image{}, tooLarge(file, err)
	}
	var next func() (int, error) // reads a pixel
	switch fields[0] {
	case "P2":
		next = func() (int, error) {
			w, err := nextWord(in)
			if err != nil {
				return 0, err
			}
			return strconv.Atoi(w)
		}
	case "P5":
		if _, err := in.ReadByte(); err != nil {
			return nil, data.Image{}, bad(ErrFormat, file, "the file ends before the pixels")
		}
		var both [2]byte // big-endian
		pixel := both[1:]
		if top > 255 {
			pixel = both[:]
		}
		next = func() (int, error) {
			_, err := io.ReadFull(in, pixel)
			return int(both[0])<<8 | int(both[1]), err
		}
	}
	var row []float64
	for range w * h {
		v, err := next()
		if err != nil {
			return nil, data.Image{}, bad(ErrFormat, file, "pixel %d of %d: %v", len(row), w*h, err)
		}
		if v < 0 || v > top {
			return nil, data.Image{}, bad(ErrFormat, file, "pixel %d is %d, outside the range from 0 to %d that the header states", len(row), v, top)
		}
		row = append(row, float64(v)*255/float64(top))
	}
	return row, data.Image{Height: h, Width: w}, nil
}

// maxWord bounds the length of a word in the text of a portable map: a type or a number.
const maxWord = 20

// nextWord returns the next word of a portable map. It skips comments, and stops before the white
// space after the word.
func nextWord(in *bufio.Reader) (string, error) {
	var word []byte
	comment := false
	for {
		c, err := in.ReadByte()
		switch {
		case err == io.EOF && len(word) > 0:
			return string(word), nil
		case err == io.EOF:
			return "", io.ErrUnexpectedEOF
		case err != nil:
			return "", err
		case comment:
			comment = c != '\n'
		case strings.IndexByte(" \t\r\n\v\f", c) >= 0:
			if len(word) > 0 {
				return string(word), in.UnreadByte()
			}
		case c == '#' && len(word) == 0:
			comment = true
		case len(word) == maxWord:
			return "", fmt.Errorf("%q… is longer than %d bytes", word, maxWord)
		default:
			word = append(word, c)
		}
	}
}
