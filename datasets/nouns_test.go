package datasets

import (
	"path/filepath"
	"strings"
	"testing"
)

// Messages have the singular for one thing.
func TestSingular(t *testing.T) {
	read := func(text string, options ...TableOption) *Table {
		table, err := ReadTableFrom(strings.NewReader(text), "t", options...)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	fails := func(_ any, err error) string {
		if err == nil {
			t.Fatal("no error")
		}
		return err.Error()
	}
	one := read("x\n1.5\n2.5\n")
	pictures := filepath.Dir(write(t, "a.webp", []byte("RIFF    WEBP")))
	words := "x\n" + strings.Repeat("1.5\n2.5\n", 20) + "below limit\n"
	for name, c := range map[string]struct{ text, says string }{
		"features of a mixture": {Mixture(1, 0, 1).Err().Error(), "there cannot be 1 sample with 0 features"},
		"a column":              {fails(one.Find("y")), `its only column is "x"`},
		"a column of new rows":  {fails(one.DataLike(Must(read("a,b\n1.5,2\n2.5,3\n").Data()))), `but the only column of the table is "x"`},
		"a text":                {fails(read("kind,x\na,1\na,2\n", Column("kind").As(Text)).Data(Features("kind"))), "with 1 different value;"},
		"a picture":             {fails(ReadImages(pictures)), "only 1 picture in an unsupported format (WebP)"},
		"a value of ARFF":       {fails(ReadTableFrom(strings.NewReader("@relation r\n@attribute x numeric\n@attribute y numeric\n@data\n1\n"), "d.arff")), "has 1 value for 2 attributes"},
		"a word":                {strings.Join(read(words).Notes(), "\n"), `1 cell is not of the type number, such as "below limit", read as a gap;`},
		"a second table":        {strings.Join(read("x,y\n1,2\n3,4\n\nu,v,w\n5,6,7\n8,9,10\n").Notes(), "\n"), "the other begins on line 5 (2 rows): read the second"},
		"a total":               {strings.Join(read("site,a,b\n"+strings.Repeat("north,1.5,2\nsouth,3,4\n", 5)+"Total,22.5,30\n").Notes(), "\n"), "leave it out with Footer(1)"},
		"a short row":           {strings.Join(read("x,y\n1,2\n3\n4,5\n").Notes(), "\n"), "1 row is shorter than the table (line 3);"},
	} {
		if !strings.Contains(c.text, c.says) {
			t.Errorf("%s: %q lacks %q", name, c.text, c.says)
		}
	}
	if notes := read("a;b\n1,484;2.5\n2,828;3.75\n1,968;9.1\n").Notes(); len(notes) != 1 {
		t.Errorf("decimal commas are noted twice: %q", notes)
	}
}
