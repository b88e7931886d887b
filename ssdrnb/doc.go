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
// Methods by the knowledge they use:
//   - none: [PCA], [LPP], [LAE], [LLE], [HLLE], [LTSA], [Isomap], [ULMRAG], [GPLVM],
//     [BCGPLVM];
//   - labels: [LDA], [CCA], [MMC], [NLDA], [TRLDA], [MFA], [ANMM], [DLA], [SRDA], [SLLE],
//     [SIsomap], and with kernels [KLDA], [TRKLDA];
//   - labels and unlabelled samples: [SDA], [SSDA], [SSLDA], [SDLA], [MMP], [SSMMC], [LapLDA],
//     [TRSDA], [TRFSDA], [SSDL], [LapRLS], [FME], [LMRAG], [S3RMM], [SSLLE], [SSLTSA], and
//     with kernels [KSDA], [TRKSDA], [KS3RMM];
//   - pairs of samples: [SSDR], [SSML], [S2LAE], [S2LLE], [SSGPLVM], the choices of features
//     [CS1] and [CS2], and with kernels [KS2LAE], [KS2LLE].
//
// [Methods] lists all with their options and sources; [New] makes the builder of a name;
// [Sweep] fits a method over a grid of options, [Compare] several over dimensions and
// draws.
//
// A matrix has one sample per row. Labels are integers, -1 where unknown. Inputs
// are never changed. The same seed gives the same result on any number of
// processors. Every error is an [*Error] that names method, option, value and
// remedy, and wraps a sentinel. In a notebook fits are remembered on disk, see
// [Remember].
package ssdrnb
