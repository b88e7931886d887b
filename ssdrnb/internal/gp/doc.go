// Package gp implements Gaussian processes with unknown inputs: kernels with gradients, the
// likelihood of data given latent positions (exact and with inducing points), pair energies as a
// prior on the positions, optimisers for the positions, and the predictive distribution.
//
// Matrices have one sample per row: Y is n×D with mean zero, X is n×d. Kernel parameters are stored
// as logarithms, so that they need no constraints.
package gp
