// Package experiment implements experiments like those in the papers of the methods. [PairTrial]
// compares the errors of methods over draws of pair constraints. [CompareDirections] compares the
// directions fitted to several draws of the data. [CompareLabelling] compares the accuracies after
// labelling suggested or random samples. [MeasureDecay] measures how the weights of neighbours
// decrease with their rank. Sweeps, comparisons and surveys of methods are in package ssdrnb.
//
// The semi-Riemannian paper is Zhang, Lin, Tang 2011 ([ssdrnb.S3RMM]). The SSGP-LVM paper is Wang,
// Gao, Yuan, Tao, Li 2010 ([ssdrnb.SSGPLVM]).
package experiment
