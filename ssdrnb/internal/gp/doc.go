// Package gp implements Gaussian processes with unknown inputs: kernels with gradients, the
// likelihood of data given latent positions (exact and with inducing points), pair energies as a
// prior on the positions, optimisers for the positions, and the predictive distribution.
//
// The priors and the alternating schedule follow Wang, Gao, Yuan, Tao, Li, "Semi-supervised
// Gaussian process latent variable model with pairwise constraints", Neurocomputing 73, 2010,
// called the paper here. Equation and table numbers refer to it. Matrices have one sample per row:
// Y is n×D with mean zero, X is n×d. Kernel parameters are stored as logarithms, so that they need
// no constraints.
package gp
