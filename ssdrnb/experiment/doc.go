// Package experiment has the experiments of the papers that compare fits over draws of
// data, labels or constraints: surveys of all methods ([NewSurvey]), trials of pair
// constraints ([PairTrial]), the decay of neighbours' weights ([MeasureDecay]), the
// stability of directions ([CompareDirections]) and the use of suggested labels
// ([CompareLabelling]). Sweeps and comparisons of methods, which share parts of their
// fits, are in package ssdrnb.
package experiment
