// Package beam runs sweeps of [ssdrnb] on Apache Beam: on its Prism runner inside this
// process, or on a cluster of Flink, Spark or Dataflow.
//
//	table, err := sweep.On(beam.Runner{OpenPort: true}).Run(ctx)
//	table, err := sweep.On(beam.Runner{Endpoint: "flink:8099", Folder: "gs://bucket/sweeps"}).Run(ctx)
//
// The table is the one that [ssdrnb.SweepBuilder.Run] fills without it, to the last
// bit where the workers use the same matrix engine, and to rounding elsewhere. A file
// that keeps the sweep, progress, cancelling and the errors of cells work alike.
//
// # When it is worthwhile
//
// One machine is used fully without Beam. A sweep on Prism takes about 0.2 s longer than
// on the processors of this process, the first one of a process 0.3 s, and as much
// computing (BenchmarkStart, BenchmarkSweep). A cluster costs its own start besides, from
// seconds to minutes. So it pays where a sweep takes hours here. Prism is for trying
// out, before a cluster is paid for, whether a program's sweep can run there.
//
// # What a pipeline does
//
// The sweep with its data is written once to a file in a folder that all workers
// reach. Each element of the pipeline is a task: cells on one draw, all of them where
// there are many draws, and else those that differ in the last axis only; see
// [Runner.Cells]. A worker reads the sweep once, and the fits of a task share stages as
// they do in one process: put the option that the expensive stages do not depend on,
// such as a ridge, on the last axis. The outcomes come as files of one run along the
// last axis each, which are read as soon as they are there; a task that a cluster does
// twice writes the same files again.
//
// # Programs for a cluster
//
// Workers run the same program. Its main begins with flag.Parse and [Init], which does
// not return in a worker. A score or a preparation of your own is registered in an init
// function, [ssdrnb.RegisterScore] and [ssdrnb.RegisterPrepare]; function literals cannot
// be used. File systems other than the local one are imported by the program, such as
// github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs, and so is the runner of
// Dataflow, which has no job service and is configured by Beam's flags --project, --region
// and --staging_location:
//
//	import "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
//	sweep.On(beam.Runner{Submit: dataflow.Execute, Folder: "gs://bucket/sweeps"})
//
// # Other work than sweeps
//
// [Runner.Command] runs a program on the workers, once for each part of its work, and returns
// the files that the runs have written. The command shards puts them together; the benchmark of
// the library, notebooks/benchmark, runs by it.
//
// # What it does not do
//
// Single fits, comparisons and remembered fits stay in this process. A fit is not
// divided: one that is too large for a machine is too large for a cluster of them.
// Stages are not shared between workers. Errors that a score returns come back with
// their text and the sentinels of this library; other types in their chain do not.
//
// # Who can run programs
//
// Prism has no authentication, and Beam 2.77 lets it listen on all network interfaces
// only: while it runs, others on the network can run programs as its user. In this process
// it is therefore refused without [Runner.OpenPort]. The pool of [ServeWorkers] listens on
// this machine alone, but every user of the machine can reach it.
//
// The tests run pipelines on Prism, with workers in the same process and in another;
// Flink, Spark and Dataflow are reached through the same interfaces, but no test here
// has such a cluster.
//
// This is a module of its own, so that programs and notebooks that do not import it do
// not download Beam and what it needs, 64 modules of 119 MB, nor link them. Beam is under
// the Apache License 2.0; version 2.77.0 is of October 2026. A release of ssdrnb tags
// both modules, v0.1.0 and ssdrnb/beam/v0.1.0; the replacement in go.mod serves work on
// the library and is not seen by its users.
package beam
