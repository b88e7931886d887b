package datasets

import "github.com/ssdrnb/ssdrnb/ssdrnb/data/files"

// unbounded is a budget for tests that look at something else.
func unbounded() *files.Budget { return files.NewBudget() }
