// Package experiment implements the experiments of the papers that compare fits over draws of data,
// labels or constraints: trials of pair constraints ([PairTrial]), the decay of neighbours' weights
// ([MeasureDecay]), the stability of directions ([CompareDirections]) and the benefit of suggested
// labels ([CompareLabelling]). Package ssdrnb contains sweeps, comparisons and surveys of methods.
package experiment
