// Package ssdrnb reduces the dimension of data with few labels: semi-supervised
// methods, the supervised and unsupervised ones that they are compared with, and the
// tools for experiments with them.
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
//   - unsupervised: [GPLVM], [HLLE], [Isomap], [LAE], [LLE], [LPP], [LTSA], [PCA],
//     [ULMRAG] and [TSNE], and with kernel maps [BCGPLVM];
//   - unsupervised, from labels, if any: [UMAP];
//   - supervised, from labels: [ANMM], [CCA], [DLA], [MFA], [MMC], [NLDA], [SIsomap],
//     [SLLE], [SRDA] and [TRLDA], and with kernel maps [KLDA] and [TRKLDA];
//   - supervised, from labels or a numeric target: [LDA], [PLS] and [SPCA];
//   - semi-supervised, from labels or pairs: [KS2LAE], [KS2LLE], [S2LAE], [S2LLE], [SSDR]
//     and [SSML], and with kernel maps [KS3RMM], and choosing features [CS1] and [CS2];
//   - semi-supervised, from labels or a numeric target: [FME], [LapRLS], [SDA] and
//     [TRSDA];
//   - semi-supervised, from labels: [LMRAG], [LapLDA], [MMP], [SDLA], [SSDA], [SSDL],
//     [SSLDA], [SSMMC] and [TRFSDA], and with kernel maps [KSDA] and [TRKSDA];
//   - semi-supervised, from anything known, if any: [S2NE];
//   - semi-supervised, from labels, pairs or a numeric target: [S3RMM];
//   - semi-supervised, from labels or known coordinates: [SSLLE] and [SSLTSA];
//   - semi-supervised, from labels or pairs, if any: [SSGPLVM].
//
// Every one has an example that shows what it is for. [Methods] lists all with their
// options and sources, [New] makes the builder of a name, and [Then] makes one method of
// two: a linear or kernel map, and a layout of what it gives.
//
// # Options
//
// An option has a setter, and a name by which [Sweep] and the reports call it: the
// words of the setter, "ridge scale" for RidgeScale. Options that methods share mean
// the same in all of them: Dims, Neighbors, Search, Recall, Metric, Affinity, Width,
// Kernel, Scale, PCA, Ridge, RidgeScale, Manifold, Solver, Seed. Greek letters are the
// weights of a method's own paper. A value that is a word has a type with its constants,
// such as [Affinity]; [Auto] asks for the documented choice from the data. An option that
// only the reproduction of a paper needs has no setter: With sets it by its name, as any
// other. The comment of each constructor says where the
// method comes from, what it solves, what that costs, its defaults, and where it fails;
// go doc ssdrnb.SDABuilder lists the options of SDA.
//
// # Data
//
// A matrix has one sample per row. Labels are integers from 0, -1 where unknown.
// [NewData] takes your own matrix, package datasets reads files, and [Data] has methods
// that prepare them: KeepLabels, Split, Standardize, WithPairs and more. Inputs are
// never changed.
//
// # Large data
//
// Methods with a neighbourhood graph search for neighbours exactly, in O(n²D), up to about
// two seconds of work, and approximately beyond; see [AutoSearch]. The neighbours of a
// search that took long are remembered for the next method on the same samples, see
// [Remember]. Nothing takes O(n²) memory in LPP, SDA, LAE, LLE, LTSA, S2LAE, UMAP, t-SNE in
// two dimensions, S2NE and their like; Isomap and the methods of
// Gaussian processes take that.
//
// A sample of D features takes 8D bytes of memory, which methods that embed a graph do not
// copy; linear methods hold it three times. An approximate search takes 4D + 60k bytes more
// for k neighbours while it runs, the graph 60k, and ten eigenvectors of it 1 kB, or what
// a sparse factorisation takes; S2LAE and S2NE 2 kB, under GOMEMLIMIT, as Go's collector
// otherwise lets garbage grow. A float32 file is read into float64 once, without another
// copy; see [data.SetReadLimit] for files above 2 GiB.
//
// # Models
//
// A [Model] has the embedding, embeds new samples (Transform), predicts their class
// (Predict), has its projection where it is linear (and fewer dimensions by Reduce), and
// is saved as an .npz file, which [Load] and NumPy read. Its [Report] tells how it was fitted: options, times,
// the history of iterations, warnings, and what the embedding keeps of the neighbourhoods. [Observe] registers a progress callback.
//
// # Experiments
//
// [Sweep] fits a method over a grid of options, [Compare] several over dimensions and
// draws, [Survey] fits each once and makes a table; package experiment has the papers'
// other trials. [NewSeries] is for controls that refit at every change. A [Score] rates a model; [NearestNeighbor] is the papers'.
//
// # What holds everywhere
//
// The same seed gives the same result on any number of processors. Every error is an
// [*Error] that names method, option, value and remedy, and wraps a sentinel such as
// [ErrOption]. An option out of range is remembered by the builder and returned by
// Fit. In a notebook fits are remembered on disk, see [Remember].
//
// # How a fit runs
//
// For readers of the code: TRSDA().Fit(data) takes these steps.
//
//  1. common.Fit (builder.go) hands the Spec, method and options, to Spec.FitContext
//     (fit.go), which checks data and options and looks for a remembered model;
//  2. job.fit (fit.go) opens the report and calls the method: Method.run (registry.go);
//  3. ratioTRSDA (trsda.go) reads as the paper's steps: spanOf (step_span.go),
//     neighborGraph and smoothness (step_neighbors.go), scatterOf and ridgeOf
//     (step_scatter.go);
//  4. each of these looks up its result among those of fits to the same data (step.go)
//     or computes it by plain functions of the packages below internal;
//  5. traceRatio (step_traceratio.go) prepares the problem, ratio.solve calls
//     spectral.TraceRatio, whose steps are eigenproblems of package blas;
//  6. span.solution (step_span.go) turns directions into embedding and map, and job.fit makes
//     the Model of them.
//
// Methods differ in the third step only: one file each, named as the method.
package ssdrnb
