// Package experiment implements experiments like those in the papers of the methods. [PairTrial]
// compares the errors of methods over draws of pair constraints, [CompareDirections] the directions
// fitted to several draws of the data, and [CompareLabelling] the accuracies after labelling
// suggested or random samples. [MeasureDecay] measures how the weights of neighbours decrease with
// their rank. Sweeps, comparisons and surveys of methods are in package ssdrnb.
package experiment
