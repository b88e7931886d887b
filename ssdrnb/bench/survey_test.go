package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Without options, at least 95 % of the cells are read correctly in at least 36 of the 42 files of
// the survey. Each file that is read incorrectly has a note.
func TestSurvey(t *testing.T) {
	dir := os.Getenv("SSDRNB_SURVEY")
	if dir == "" {
		t.Skip("SSDRNB_SURVEY names no folder")
	}
	s, err := survey(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d files, %.3f of the cells", s.right, s.files, s.mean)
	for _, w := range s.wrong {
		t.Log(w)
	}
	if 42*s.right < 36*s.files || len(s.silent) > 0 {
		t.Errorf("%d of %d files are right, %q are wrong without a note", s.right, s.files, s.silent)
	}
}

// The tables of the UCI repository are read correctly without options.
func TestUCI(t *testing.T) {
	dir := os.Getenv("SSDRNB_UCI")
	if dir == "" {
		t.Skip("SSDRNB_UCI names no folder")
	}
	lines, right, known, err := readFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if right < known || known == 0 {
		t.Errorf("%d of %d tables are right\n%s", right, known, lines)
	}
}

// Differences from the known facts about a table are reported.
func TestFacts(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"haberman.data": "30,64,1,1\n30,62,3,1\n31,65,0,2\n",
		"abalone.data":  "M,0.4,?,0.1,0.5,0.2,0.1,0.2,15\nF,0.3,0.2,0.1,0.2,0.1,0.1,0.1,7\n",
		"other.csv":     "a;b\n1;x\n2;\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines, right, known, err := readFolder(dir)
	want := "| abalone.data | 2 × 9 | comma | none | 1 | column 1 is text; 1 gaps differ |\n| haberman.data | 3 × 4 | comma | none | 0 | yes |\n| other.csv | 2 × 2 | semicolon | names | 1 | – |\n"
	if err != nil || lines != want || right != 1 || known != 2 {
		t.Errorf("%d of %d, %v\n%s", right, known, err, lines)
	}
}

// The share of correct cells equals the share computed by hand.
func TestRightCells(t *testing.T) {
	dir := t.TempDir()
	for folder, text := range map[string]string{
		"csv/1.csv": "A title\n\na;b;;\n1,50;x  y;;\n2;\"z\";;\n", "clean/1.csv": "a,b,,\n1.5,x y,,\n2,z,,\n",
		"csv/2.csv": "a,b\n1,2\n", "clean/2.csv": "a,b\n1,3\n", "csv/3.csv": "", "clean/3.csv": "",
	} {
		path := filepath.Join(dir, folder)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := survey(dir)
	// The numbers 1,50 and 1.5 differ: without their separators they are 150 and 1.5.
	if err != nil || s.files != 2 || s.right != 0 || s.mean != (7.0/8+0.5)/2 || len(s.wrong) != 2 || len(s.silent) != 1 || s.silent[0] != "2.csv" {
		t.Errorf("%+v, %v", s, err)
	}
}
