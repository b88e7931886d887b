package datasets

import "github.com/ssdrnb/ssdrnb/ssdrnb/data/files"

// formats are the tables that are no separated texts, by what they begin with.
var formats = []struct {
	is   func(text []byte) bool
	read func(text []byte, file string, opt *tableOptions, budget *files.Budget) (*Table, error)
}{}
