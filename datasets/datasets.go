// Package datasets provides data sets as [data.Data]. It contains small sets that are part of the
// library, generators of toy data, readers for tables, NumPy, IDX, MATLAB and image files, and
// functions that return larger benchmark sets by name.
//
//   - Part of the library: [Iris], [Wine], [Sonar], [Digits], [LetterAE], [Balance], and the table
//     [Penguins].
//   - Generated: [Gaussians2D], [Gaussians3D], [TwoMoons], [TwoLines], [HalfCircles] and
//     [ControlCharts]; [SwissRoll], [OilFlow] and [Mixture] with any number of samples; and
//     [Scene], a picture to segment.
//   - By name, read from the folder $SSDRNB_DATA or the cache ([CacheDir]): [ORL], [Yale],
//     [YaleB], [UMIST], [PIE], [COIL20], [COIL100], [USPS], [USPS11000], [MNIST], [Oil].
//     Package datasets/fetch downloads the sets that have a known address and checksum.
//   - Tables of your own: [ReadTable] detects the format of a file and lists its decisions;
//     [Table.Data] converts the table to samples. [Table.DataLike] converts a later table to the
//     same features. [ReadCSV] reads and converts tables of numbers.
//   - Other files: [ReadNPY], [ReadNPZ], [ReadMAT], [ReadIDX] and [ReadImages] read samples, and
//     [WriteCSV] and [WriteNPZ] write them.
//
// All samples of a set with classes are labelled, except in [TwoLines], [HalfCircles] and [Scene],
// which have only a few labels. [SwissRoll] has no labels. [data.Data.KeepLabels] hides all but a
// few labels of a set.
//
// A function that returns a named or generated set has no error result. Instead, the data store the
// error, so that a chain of methods can continue up to Fit, which returns the error. A reader of a
// file returns its error directly. The memory that a reader uses for one file is limited, see
// [data.SetReadLimit].
package datasets

import (
	"bytes"
	"embed"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// Errors of readers and writers. An error that wraps one of them also names the file and, in most
// cases, the place in the file and a remedy. A file that needs more memory than
// [data.SetReadLimit] allows gives [data.ErrTooLarge].
var (
	// ErrFormat means that a file is damaged, that it does not have the requested format, or that
	// the options do not fit its content.
	ErrFormat = errors.New("datasets: cannot read")
	// ErrUnsupported means that a file is valid, but that its variant of the format is not
	// supported.
	ErrUnsupported = errors.New("datasets: unsupported variant")
	// ErrNames means that the name of a feature or class would not be read back unchanged.
	ErrNames = errors.New("datasets: name cannot be written")
	// ErrMissing means that a set is not on this machine and could not be downloaded.
	ErrMissing = errors.New("datasets: data not found")
)

// Sources and licences of the embedded sets are in LICENSES.md.
//
//go:embed embedded
var embedded embed.FS

// Must returns d. If err is not nil, it returns data that store err instead. With it, a chain of
// methods can begin with a reader: datasets.Must(datasets.ReadCSV("my.csv",
// datasets.CSV{})).Standardize().
func Must(d *data.Data, err error) *data.Data {
	if err != nil {
		return data.Failed("data", err)
	}
	return d
}

// open reads the embedded set with the given name.
func open(name string, classes, features []string) *data.Data {
	raw, err := embedded.ReadFile("embedded/" + name + ".npz")
	if err != nil {
		return data.Failed(name, err)
	}
	d, err := readNPZ(bytes.NewReader(raw), int64(len(raw)), name, NPZ{})
	if err != nil {
		return data.Failed(name, err)
	}
	d.ClassNames, d.FeatureNames = classes, features
	return d
}

// Iris returns Fisher's irises: 150 flowers, 4 measurements in cm, 3 species. The values are
// Fisher's. The UCI file has different values in samples 34 and 37, counted from 0.
func Iris() *data.Data {
	return open("iris", []string{"setosa", "versicolor", "virginica"},
		[]string{"sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"})
}

// Wine returns 178 wines of 3 cultivars with 13 chemical measurements. Standardise the
// measurements, because their scales differ widely.
func Wine() *data.Data {
	return open("wine", []string{"cultivar 1", "cultivar 2", "cultivar 3"}, []string{"alcohol", "malic acid", "ash",
		"alcalinity of ash", "magnesium", "total phenols", "flavanoids", "nonflavanoid phenols", "proanthocyanins",
		"colour intensity", "hue", "OD280/OD315 of diluted wines", "proline"})
}

// Sonar returns 208 sonar echoes in 60 frequency bands, 111 of a metal cylinder
// (mine) and 97 of rock.
func Sonar() *data.Data { return open("sonar", []string{"mine", "rock"}, nil) }

// Digits returns 1,797 handwritten digits as 8×8 pictures with grey values 0–16:
// the test part of the optical digits of UCI.
func Digits() *data.Data {
	d := open("digits", []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, nil)
	d.Image = data.Image{Height: 8, Width: 8}
	return d
}

// LetterAE returns the 3,864 letters A to E of UCI's letter recognition set, with 16 measurements
// of the printed shape of each letter.
func LetterAE() *data.Data {
	d := open("letter_ae", []string{"A", "B", "C", "D", "E"}, nil)
	d.Name = "letters A to E"
	return d
}

// Balance returns the 625 states of a balance scale. The features are left weight, left distance,
// right weight and right distance, from 1 to 5. There are three classes: the scale tips to the
// left, is balanced, or tips to the right. The samples are in lexicographic order of the features.
func Balance() *data.Data {
	x, y := mat.NewDense(625, 4, nil), make([]int, 625)
	for i := range y {
		lw, ld, rw, rd := i/125+1, i/25%5+1, i/5%5+1, i%5+1
		x.SetRow(i, []float64{float64(lw), float64(ld), float64(rw), float64(rd)})
		switch {
		case lw*ld == rw*rd:
			y[i] = 1
		case lw*ld < rw*rd:
			y[i] = 2
		}
	}
	d := data.New(x, y)
	d.Name, d.ClassNames = "balance", []string{"left", "balanced", "right"}
	d.FeatureNames = []string{"left weight", "left distance", "right weight", "right distance"}
	return d
}

// tooLarge returns the error for a file that exceeds its memory budget.
func tooLarge(file string, err error) error { return fmt.Errorf("datasets: %s: %w", file, err) }

// bad returns an error that wraps kind and begins with the name of the file.
func bad(kind error, file, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", kind, file, fmt.Sprintf(format, args...))
}

// damaged returns the error for a binary file whose content contradicts itself. It wraps ErrFormat.
func damaged(file, format string, args ...any) error {
	return advice.With("download or save the file again", bad(ErrFormat, file, format, args...))
}
