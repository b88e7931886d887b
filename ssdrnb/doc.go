// Package ssdrnb draws maps of data with a few labelled samples. Similar samples lie close
// together, and the labels shape the map. It has semi-supervised methods, which use both labelled
// and unlabelled samples; the supervised and unsupervised methods with which papers compare them;
// and tools for experiments.
//
// A method is a builder with its options, and Fit makes a [Model]:
//
//	digits := datasets.Digits().KeepLabels(5).Seed(1) // 5 labels per class, the rest are hidden
//	model, err := ssdrnb.S2NE().Fit(digits)
//	y := model.Embedding()          // n×2, the position of each sample on the map, one per row
//	z, err := model.Transform(more) // new samples with the same features
//
// [S2NE] separates groups and works without labels. [SDA] has axes that are weighted sums of the
// features, so that they can be interpreted. [Recommend] tries methods on your data, and ranks them
// by how well they predict labels that it hides.
//
// # Words
//
//   - Embedding: the map, one row of coordinates for each sample.
//   - Linear map: each coordinate is a weighted sum of the features. [Model.Projection] has the
//     weights.
//   - Neighbourhood graph: each sample is linked to its most similar ones.
//   - Manifold weight, option Manifold: the weight of the neighbourhood graph relative to labels.
//     At 0 only labels are used. A large weight is harmful where neighbours differ in class.
//   - Between-class and within-class scatter: along a direction, the distance between classes and
//     their width. LDA maximises the sum over all directions of the ratio of the two; methods with
//     TR in their name (trace ratio) maximise the ratio of the two sums.
//   - Ridge, options Ridge and RidgeScale: a small value added to the scatter in all directions,
//     so that directions with almost no variation are not preferred.
//   - Kernel map: samples are compared by a function of their distance. The option Scale is the
//     width of this function. Class boundaries are curved.
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
//   - semi-supervised, from labels, pairs or target, if any: [SSGPLVM].
//
// Each has an example of its use. [Methods] lists all with their options and sources, [New] returns
// the builder with a given name, and [Then] combines two methods: a linear or kernel map, and a
// layout of its result.
//
// # Options
//
// An option has a setter, and a name for [Sweep] and reports. The name consists of the words of the
// setter: "ridge scale" for RidgeScale. Options shared by several methods have the same meaning in
// all of them: Dims, Neighbors, Search, Recall, Metric, Affinity, Width, Kernel, Scale, PCA, Ridge,
// RidgeScale, Manifold, Solver, Seed. Options named after Greek letters are the parameters with
// these names in the paper of the method. An option with named choices has a type with constants,
// such as [Affinity]. With [Auto], the value is derived from the data, as documented for the option.
// The method With sets any option by name, including those without a setter, which serve only to
// reproduce papers. The comment of each constructor states the source of the method, its objective
// and solution, its cost, defaults and failures; go doc ssdrnb.SDABuilder lists the options of SDA.
//
// # Data
//
// A matrix has one sample per row. Labels are integers, 0 or greater, or -1 if unknown. [NewData]
// takes your own matrix, package datasets reads files, and methods of [Data] prepare them:
// KeepLabels, Split, Standardize, WithPairs and more. Inputs are never changed.
//
// # Large data
//
// Methods with a neighbourhood graph search for neighbours exactly, in O(n²D) for n samples with D
// features, if the search takes at most about two seconds. Otherwise they search approximately; see
// [AutoSearch]. The neighbours of a long search are cached for the next method on the same samples,
// see [Remember]. Isomap and the GP methods need O(n²) memory. LPP, SDA, LAE, LLE, LTSA, S2LAE,
// UMAP, t-SNE in two dimensions and S2NE do not.
//
// A sample with D features takes 8D bytes of memory. Methods that embed a graph do not copy the
// samples; linear methods hold three copies. An approximate search for k neighbours takes another
// 4D + 60·k bytes per sample while it runs. Per sample, the graph takes 60·k bytes. The computation
// of ten of its eigenvectors takes 1 kB per sample, or the memory of a sparse factorisation if the
// solver uses one. S2LAE and S2NE take 2 kB per sample. Garbage that Go has not yet collected adds
// to these numbers, unless the environment variable GOMEMLIMIT limits the memory. A float32 file is
// read into float64 without another copy; see [data.SetReadLimit] for files above 2 GiB.
//
// # Models
//
// A [Model] holds the embedding, embeds new samples (Transform) and predicts their class (Predict).
// A linear model has a projection, and Reduce lowers its dimension. Save writes an .npz file, which
// [Load] and NumPy read. The [Report] of a model lists options, times, the history of iterations,
// warnings, and the share of neighbours that the embedding preserves. [Observe] registers a
// progress callback.
//
// # Experiments
//
// [Sweep] fits a method over a grid of options. [Compare] compares methods over dimensions and
// random draws. [Survey] fits each method once and returns a table. Package experiment has the
// other experiments of the papers. [NewSeries] caches work between successive fits, for interactive
// controls. A [Score] rates a model; [NearestNeighbor] is the score used in the papers.
//
// # Notation
//
// In the comments on methods, x_i is sample i of n samples with D features, and X is D×n, with one
// sample per column. The l labelled samples belong to c classes. The embedding has d dimensions,
// and k is the number of neighbours. S_b, S_w and S_t are the between-class, within-class and total
// scatter of the labelled samples, and L or L_m is the Laplacian of the neighbourhood graph.
//
// # Guarantees
//
// The same seed gives the same result on any number of processors. Every error of a fit is or wraps
// an [*Error], which names method, option, value and remedy and wraps a sentinel such as
// [ErrOption]. Fit returns an error for an option out of range. In a notebook, fits are cached on
// disk, see [Remember].
//
// # Side effects
//
// Importing the package registers the fastest available matrix engine with gonum, see package
// blas. In a notebook a failing Must function prints the error and ends the cell's process; in a
// program it panics.
//
// # How a fit runs
//
// For readers of the code: TRSDA().Fit(data) takes these steps.
//
//  1. common.Fit (builder.go) passes the Spec, the method with its options, to Spec.FitContext
//     (fit.go), which checks data and options and looks for a cached model;
//  2. job.fit (fit.go) creates the report and calls the method: Method.run (registry.go);
//  3. ratioTRSDA (trsda.go) follows the steps of the paper: spanOf (step_span.go),
//     neighborGraph and smoothness (step_neighbors.go), scatterOf and ridgeOf
//     (step_scatter.go);
//  4. each of these looks up its result in the cache of the data (step.go) or computes it with
//     plain functions of the internal packages;
//  5. traceRatio (step_traceratio.go) prepares the problem, and ratio.solve calls
//     spectral.TraceRatio, whose steps are eigenproblems of package blas;
//  6. span.solution (step_span.go) turns directions into embedding and map, and job.fit makes the
//     Model.
//
// Methods differ only in the third step. Each method is in the file with its name.
package ssdrnb
