package spectral

// TopOf is topOf for the tests from outside.
var TopOf = topOf
