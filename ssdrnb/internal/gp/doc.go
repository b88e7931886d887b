// Package gp holds Gaussian processes whose inputs are unknown: kernels with
// gradients, the likelihood of data given latent positions, exact and with inducing
// points, pair energies as a prior on the positions, the optimisers that find them,
// and the predictive distribution that follows.
//
// Matrices hold one sample per row: Y is n×D with mean zero, X is n×d. Kernel
// parameters are logarithms, so that they are free of constraints.
package gp
