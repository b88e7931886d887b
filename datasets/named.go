package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/folders"
)

// set describes a benchmark set that is not part of the library.
type set struct {
	name        string
	file        string // name, without .npz, of the file with X, y and image_shape in $SSDRNB_DATA or the cache
	columnMajor bool
	source      Source
}

// Source is the download location of a set. Only files of known size and checksum are downloaded;
// for other files, URL is empty. Page is the address of a web page that provides the file.
type Source struct {
	URL    string // https address of a file that a reader of this package supports
	SHA256 string
	Size   int64 // in bytes
	Page   string
}

// Fetch downloads a file into dir and returns its path. It is nil unless package datasets/fetch is
// imported. That package contains the function, so that not every notebook cell has to link an HTTP
// client.
var Fetch func(s Source, dir string) (string, error)

// ORL returns the 400 faces of 40 persons, 32×32 pixels, from AT&T's laboratory in Cambridge.
func ORL() *data.Data {
	return named(set{"ORL", "orl_32x32", true, Source{"https://www.cad.zju.edu.cn/home/dengcai/Data/ORL/ORL_32x32.mat",
		"c30cb53be2cab2da293eaeb35c1a7c16cad513fa14d0400ad5ed51f03e1ce7c8", 376589, "https://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"}})
}

// Yale returns the 165 faces of 15 persons, 32×32 pixels, from the Yale face database.
func Yale() *data.Data {
	return named(set{"Yale", "yale_32x32", true, Source{"https://www.cad.zju.edu.cn/home/dengcai/Data/Yale/Yale_32x32.mat",
		"beb3cc9f448c1ab786583c8f5429368c299843ee88263f9650ed463004ef7633", 161026, "https://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"}})
}

// YaleB returns 2,414 faces of 38 persons, 32×32 pixels, from the extended Yale face database B.
func YaleB() *data.Data {
	return named(set{"Yale B", "yaleb_32x32", true, Source{"https://www.cad.zju.edu.cn/home/dengcai/Data/YaleB/YaleB_32x32.mat",
		"3fbbda4eb781b9bb28025189677b6727706e114eb0215bbfd718f1f4fcb54b99", 2214688, "https://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"}})
}

// UMIST returns 575 faces of 20 persons, 32×32 pixels.
func UMIST() *data.Data {
	return named(set{"UMIST", "umist_32x32", true, Source{Page: "https://cs.nyu.edu/~roweis/data.html"}})
}

// USPS returns the 9,298 handwritten digits of the U.S. Postal Service, 16×16 pixels.
func USPS() *data.Data {
	return named(set{"USPS", "usps_9298", false, Source{Page: "https://www.cad.zju.edu.cn/home/dengcai/Data/MLData.html"}})
}

// USPS11000 returns another selection of postal digits: 1,100 of each digit, 16×16 pixels.
func USPS11000() *data.Data {
	return named(set{"USPS (11,000)", "usps_11000", true, Source{Page: "https://cs.nyu.edu/~roweis/data.html"}})
}

// COIL20 returns 1,440 pictures of 20 objects, 32×32 pixels.
func COIL20() *data.Data {
	return named(set{"COIL-20", "coil20_32x32", true, Source{Page: "https://www.cad.zju.edu.cn/home/dengcai/Data/MLData.html"}})
}

// COIL100 returns 7,200 pictures of 100 objects, 32×32 pixels.
func COIL100() *data.Data {
	return named(set{"COIL-100", "coil100_32x32", true, Source{Page: "https://www.cad.zju.edu.cn/home/dengcai/Data/MLData.html"}})
}

// PIE returns the faces of CMU PIE, 32×32 pixels. They may not be redistributed: provide your own
// file.
func PIE() *data.Data {
	return named(set{"PIE", "pie_32x32", true, Source{Page: "https://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"}})
}

// MNIST returns the 70,000 handwritten digits, 28×28 pixels. The first 60,000 are for training.
func MNIST() *data.Data {
	return named(set{"MNIST", "mnist_70000", false, Source{Page: "http://yann.lecun.com/exdb/mnist/"}})
}

// Oil returns 1,000 measurements of oil flow in 3 flow regimes, with 12 features. [OilFlow]
// simulates such measurements if the file is not available.
func Oil() *data.Data {
	return named(set{"oil flow", "oil_1000", false, Source{Page: "http://inverseprobability.com/3PhaseData.html"}})
}

// named reads a set from the folder $SSDRNB_DATA or, if it is not there, from the cache. If neither
// contains the set and package datasets/fetch is imported, named downloads it.
func named(s set) *data.Data {
	cache, err := CacheDir()
	if err != nil {
		return data.Failed(s.name, err)
	}
	var looked []string
	for _, dir := range []string{os.Getenv("SSDRNB_DATA"), cache} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, s.file+".npz")
		looked = append(looked, path)
		if _, err := os.Stat(path); err == nil {
			d, err := openNPZ(path, NPZ{})
			return s.finish(d, err)
		}
	}
	if s.source.URL != "" {
		path := filepath.Join(cache, filepath.Base(s.source.URL))
		if _, err := os.Stat(path); err != nil && Fetch != nil {
			if path, err = Fetch(s.source, cache); err != nil {
				return data.Failed(s.name, advice.Errorf(fmt.Sprintf("download it by hand from %s and save it as %s", s.source.URL, filepath.Join(cache, filepath.Base(s.source.URL))),
					"%w: %s: %w", ErrMissing, s.name, err))
			}
		}
		if _, err := os.Stat(path); err == nil {
			d, err := openMAT(path, MAT{})
			return s.finish(d, err)
		}
		looked = append(looked, path)
	}
	hint := ""
	if s.source.URL != "" && Fetch == nil {
		hint = "import _ \"github.com/ssdrnb/ssdrnb/datasets/fetch\" to download it, or "
	}
	return data.Failed(s.name, advice.Errorf(hint+"save the data of "+s.source.Page+" as "+looked[0]+", in NumPy's format with X (one sample per row) and y",
		"%w: %s: there is no file %s", ErrMissing, s.name, strings.Join(looked, " or ")))
}

// finish sets the name and the image layout of d, the result of a reader. It returns data that
// store err if err is not nil.
func (s set) finish(d *data.Data, err error) *data.Data {
	if err != nil {
		return data.Failed(s.name, err)
	}
	d.Name = s.name
	if d.Image.IsZero() {
		for side := 16; side <= 32; side += 4 {
			if side*side == d.Dim() {
				d.Image = data.Image{Height: side, Width: side}
			}
		}
	}
	d.Image.ColumnMajor = s.columnMajor && !d.Image.IsZero()
	return d
}

// CacheDir returns the folder of downloaded sets: $SSDRNB_CACHE/data, or ssdrnb/data in the user's
// cache folder.
func CacheDir() (string, error) {
	if dir := os.Getenv("SSDRNB_CACHE"); dir != "" {
		return filepath.Join(dir, "data"), nil
	}
	dir, err := folders.Cache()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "ssdrnb", "data"), nil
}
