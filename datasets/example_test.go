package datasets_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// Twenty labels per class, the other samples unlabelled: the data keep the true classes for scores
// and figures.
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

// A table with a title, decimal commas, gaps and a date is read without options.
func ExampleReadTable() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "trees.csv")
	text := "Trees of the park;;;\n\nid;height;felled;kind\nT1;5,02;2024-03-01;lime\nT2;n.d.;;oak\nT3;12,5;2023-11-20;lime\nT4;7,25;2024-01-15;\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	trees, err := datasets.ReadTable(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(trees)
	fmt.Println(trees.Names(), trees.Rows(), trees.Text(1, 1), trees.Numbers(1))

	samples, err := trees.Data(datasets.Label("kind"), datasets.Fill(datasets.Mean))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(samples.FeatureNames, samples.ClassNames, samples.Labels, samples.Attribute("id"))
	// Output:
	// trees: 4 rows × 4 columns (semicolon, quote ")
	//    column  type        gaps  values                    examples
	// 1  id      identifier        4 different               T1, T2, T3
	// 2  height  number         1  5.02 to 12.5              5,02, 12,5, 7,25
	// 3  felled  date           1  2023-11-20 to 2024-03-01  2024-03-01, 2023-11-20, 2024-01-15
	// 4  kind    category       1  2 different               lime, oak
	// note: 1 line above the table skipped (line 1); override with Header or Skip
	// note: column "height": decimal commas; override with Column(name).Decimal('.')
	// override with options of ReadTable: Column(name).As(Category), Gaps("-999"), Separator(';'), Decimal(','), Header(rows), NoHeader(), Skip(lines), …
	//
	// [id height felled kind] 4 n.d. [5.02 NaN 12.5 7.25]
	// [height felled] [lime oak] [0 1 0 -1] [T1 T2 T3 T4]
}

// New rows get the features of the training data, although the columns of their table are in
// another order and contain other categories.
func ExampleTable_DataLike() {
	read := func(text string) *datasets.Table {
		table, err := datasets.ReadTableFrom(strings.NewReader(text), "trees")
		if err != nil {
			fmt.Println(err)
		}
		return table
	}
	old := datasets.Must(read("height,leaf\n5.5,broad\n12.5,needle\n7.5,broad\n9.5,needle\n").Data())
	trees, err := read("leaf,height\nneedle,8.5\nscale,\n").DataLike(old)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(trees.FeatureNames)
	fmt.Println(trees.X.RawRowView(0), trees.X.RawRowView(1))
	for _, note := range trees.Notes {
		fmt.Println(note)
	}
	// Output:
	// [height leaf = broad leaf = needle]
	// [8.5 0 1] [8.5 0 0]
	// column "height": 1 gap filled with 8.5 as in the training data
	// column "leaf": 1 cell, such as "scale", is in no category of the training data and gets 0 in all features of the column
}

// An unreadable file is an error, which a chain of calls passes on to Fit.
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

// An image whose pixels are the samples, with scribbles as labels.
func ExampleScene() {
	picture := datasets.Scene(120, 80, 0.08, 1, 1)
	fmt.Println(picture.Pixels.Len(), picture.Pixels.Dim(), len(picture.Pixels.Classes()))
	// Output: 9600 5 5
}
