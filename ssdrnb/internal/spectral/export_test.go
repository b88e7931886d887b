package spectral

// TopOf exports topOf for external tests.
var TopOf = topOf
