package datasets

import "bytes"

// Penguins returns a table of 344 penguins of three species at Palmer Station, Antarctica,
// as published: measurements with gaps, categories, a date, and remarks.
//
//	fmt.Println(datasets.Penguins())
//	d := datasets.Must(datasets.Penguins().Data(datasets.Label("Species"), datasets.Without("Sample Number", "Comments")))
func Penguins() *Table {
	raw, err := embedded.ReadFile("embedded/penguins.csv.gz")
	if err != nil {
		panic(err)
	}
	t, err := readTable(bytes.NewReader(raw), int64(len(raw)), "penguins.csv")
	if err != nil {
		panic(err)
	}
	return t
}
