package datasets_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// Twenty labels per class, the other samples unlabelled: the true classes stay with
// the data for scores and pictures.
func ExampleDigits() {
	digits := datasets.Digits().KeepLabels(20).Seed(1)
	fmt.Println(digits.Len(), digits.Dim(), digits.NumLabelled(), len(digits.Truth))
	// Output: 1797 64 200 1797
}

// Unknown classes are empty or "?".
func ExampleReadCSV() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "mine.csv")
	table := "length,width,kind\n5.1,3.5,iris\n4.9,3.0,?\n7.0,3.2,lily\n"
	if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	mine, err := datasets.ReadCSV(path, datasets.CSV{Label: "kind"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mine.FeatureNames, mine.ClassNames, mine.Labels)
	// Output: [length width] [iris lily] [0 -1 1]
}

// An unreadable file is an error, which a chain carries to Fit.
func ExampleMust() {
	broken := datasets.Must(datasets.ReadNPY("no such file.npy")).KeepLabels(5)
	fmt.Println(broken.Err() != nil)
	// Output: true
}

func ExampleSwissRoll() {
	roll := datasets.SwissRoll(500, 1)
	fmt.Println(roll.Len(), roll.Dim(), roll.NumLabelled())
	// Output: 500 3 0
}

// A picture whose pixels are the samples, with scribbles for labels.
func ExampleScene() {
	picture := datasets.Scene(120, 80, 0.08, 1, 1)
	fmt.Println(picture.Pixels.Len(), picture.Pixels.Dim(), len(picture.Pixels.Classes()))
	// Output: 9600 5 5
}
