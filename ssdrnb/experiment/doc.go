// Package experiment has the experiments of the papers that compare fits over draws of
// data, labels or constraints: trials of pair constraints ([PairTrial]), the decay of
// neighbours' weights ([MeasureDecay]), the stability of directions
// ([CompareDirections]) and the use of suggested labels ([CompareLabelling]). Sweeps,
// comparisons and surveys of methods are in package ssdrnb.
package experiment
