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
<<<<<<< HEAD
// Unsupervised: [PCA], [LPP], [ULMRAG]. Supervised: [LDA], [MMC], [CCA], [NLDA], [TRLDA], and
// with kernels [KLDA], [TRKLDA]. Semi-supervised: [SDA], [SSDR], [SSMMC], [LapLDA],
// [SSDL], [TRSDA], [TRFSDA], [LapRLS], [FME], [LMRAG], and with kernels [KSDA],
// [TRKSDA]. Latent variables by Gaussian processes: [GPLVM], [BCGPLVM], and with
// constraints [SSGPLVM]. Choice of features by constraints: [CS1], [CS2]. [Methods]
// lists all with their options and sources; [New] makes the builder of a name; [Sweep]
// fits a method over a grid of options, [Compare] several over dimensions and draws.
=======
// Unsupervised: [PCA], [LPP]. Supervised: [LDA], [MMC], [CCA], [NLDA], [TRLDA], [MFA],
// [ANMM], [DLA], [SRDA], and with kernels [KLDA], [TRKLDA]. Semi-supervised: [SDA],
// [SSDA], [SSLDA], [SDLA], [SSDR], [SSMMC], [LapLDA], [TRSDA], [S3RMM], and with kernels
// [KSDA], [TRKSDA], [KS3RMM]. [Methods] lists all with their options and sources; [New]
// makes the builder of a name; [Sweep] fits a method over a grid of options.
>>>>>>> 9babc74 (Package comment lists the methods of margins)
//
// A matrix has one sample per row. Labels are integers, -1 where unknown. Inputs
// are never changed. The same seed gives the same result on any number of
// processors. Every error is an [*Error] that names method, option, value and
// remedy, and wraps a sentinel. In a notebook fits are remembered on disk, see
// [Remember].
package ssdrnb
