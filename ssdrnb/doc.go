// Package ssdrnb reduces the dimension of data with few labels: semi-supervised
// methods, the supervised and unsupervised ones that they are compared with, and
// what experiments with them need.
//
// A method is a builder with its options, and Fit makes a [Model]:
//
//	digits := datasets.Digits().KeepLabels(20).Seed(1)
//	model, err := ssdrnb.TRSDA().Dims(2).Neighbors(8).Fit(digits)
//	y := model.Embedding()                  // n×2, one sample per row
//	z, err := model.Transform(more)         // new samples, as many features
//
// # Methods by the knowledge they use
//
//   - none: [PCA], [LPP], [LAE], [LLE], [HLLE], [LTSA], [Isomap], [ULMRAG], [GPLVM],
//     [BCGPLVM], [TSNE], and [UMAP], which reads labels where it is told to;
//   - labels: [LDA], [CCA], [MMC], [NLDA], [TRLDA], [MFA], [ANMM], [DLA], [SRDA], [SLLE],
//     [SIsomap], and with kernels [KLDA], [TRKLDA];
//   - labels and unlabelled samples: [SDA], [SSDA], [SSLDA], [SDLA], [MMP], [SSMMC], [LapLDA],
//     [TRSDA], [TRFSDA], [SSDL], [LapRLS], [FME], [LMRAG], and with kernels [KSDA],
//     [TRKSDA];
//   - labels, or the coordinates of some samples: [SSLLE], [SSLTSA];
//   - labels, or pairs of samples: [S3RMM], [SSDR], [SSML], [S2LAE], [S2LLE], [SSGPLVM], the
//     choices of features [CS1] and [CS2], and with kernels [KS3RMM], [KS2LAE], [KS2LLE];
//   - labels, pairs and the coordinates of some samples, alone or together: [S2NE].
//
// Every one has an example that shows what it is for. [Methods] lists all with their
// options and sources, and [New] makes the builder of a name.
//
// # Options
//
// An option has a setter, and a name by which [Sweep] and the reports call it: the
// words of the setter, "ridge scale" for RidgeScale. Options that methods share mean
// the same in all of them: Dims, Neighbors, Affinity, Width, Kernel, Scale, PCA, Ridge,
// RidgeScale, Manifold, Solver, Seed. Greek letters are the weights of a method's own
// paper. Where a value is a word, its constants stand below with what they mean; [Auto]
// asks for the documented choice by the data. The comment of each constructor says
// where the method comes from, what it solves, what that costs, its defaults, and where
// it fails; go doc ssdrnb.SDABuilder lists the options of SDA.
//
// # Data
//
// A matrix has one sample per row. Labels are integers from 0, -1 where unknown.
// [NewData] takes your own matrix, package datasets reads files, and [Data] has what
// prepares them: KeepLabels, Split, Standardize, WithPairs and more. Inputs are never
// changed.
//
// # Models
//
// A [Model] has the embedding, embeds new samples (Transform), predicts their class
// (Predict), has its projection where it is linear, and is saved as an .npz file,
// which [Load] and NumPy read. Its [Report] tells how it came about: options, times,
// the history of iterations, warnings. [Observe] hears of a fit while it runs.
//
// # Experiments
//
// [Sweep] fits a method over a grid of options, [Compare] several over dimensions and
// draws, [PairTrial] over draws of constraints. [NewSeries] is for controls that refit
// at every change. A [Score] rates a model; [NearestNeighbor] is the papers'.
//
// # What holds everywhere
//
// The same seed gives the same result on any number of processors. Every error is an
// [*Error] that names method, option, value and remedy, and wraps a sentinel such as
// [ErrOption]. An option out of range is remembered by the builder and returned by
// Fit. In a notebook fits are remembered on disk, see [Remember].
package ssdrnb
