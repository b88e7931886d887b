// Package beam runs sweeps of [ssdrnb] on Apache Beam: on its Prism runner in this process, or on a
// cluster with Flink, Spark or Dataflow.
//
//	table, err := sweep.On(beam.Runner{OpenPort: true}).Run(ctx)
//	cluster := beam.Runner{Endpoint: "flink:8099", Folder: "gs://bucket/sweeps"}
//	table, err := sweep.On(cluster).Run(ctx)
//
// The table equals the one that [ssdrnb.SweepBuilder.Run] computes without Beam: bitwise if the
// workers use the same matrix engine, and up to rounding otherwise. Saving a sweep to a file,
// progress, cancellation and errors of cells work as they do without Beam.
//
// # When it is worthwhile
//
// Without Beam, a sweep already uses all processors of a single machine. On Prism, the sweep takes
// the same computing time, but ends about 0.2 s later; the first sweep of a process ends 0.3 s
// later (BenchmarkStart, BenchmarkSweep). A cluster adds its own start-up time, from seconds to
// minutes. A cluster is therefore worthwhile only if a sweep takes hours on one machine. Use Prism
// to test whether a program's sweep can run on a cluster before you pay for one.
//
// # What a pipeline does
//
// This process writes the sweep and its data once to a file in a folder that all workers can
// access. A cell is a combination of option values, and a draw is a random choice of labels and
// training samples. Each element of the pipeline is a task: one or more cells on a single draw. If
// there are many draws, a task contains all cells of its draw. Otherwise, it contains cells that
// differ only in the last axis; see [Runner.Cells]. A worker reads the sweep once. The fits of a
// task share intermediate results as they do in a single process. The last axis should therefore be
// an option that only the cheap last steps of a fit depend on, such as a ridge. Workers write
// outcomes to files, one for each sequence of cells along the last axis. This process reads the
// files while the pipeline runs. If a cluster runs a task twice, the task writes the same files
// again.
//
// # Programs for a cluster
//
// Workers run the same program as this process. Its main must begin with flag.Parse and [Init]; in
// a worker, Init does not return. Register your own scores and preparations in an init function
// with [ssdrnb.RegisterScore] and [ssdrnb.RegisterPrepare]; function literals cannot be used. If
// the Folder is not in the local file system, the program must import the package of its file
// system, such as github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs. A program for
// Dataflow must also import Dataflow's runner. Dataflow has no job service and is configured by
// Beam's flags --project, --region and --staging_location:
//
//	import "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
//	sweep.On(beam.Runner{Submit: dataflow.Execute, Folder: "gs://bucket/sweeps"})
//
// # Work other than sweeps
//
// [Runner.Command] runs a program on the workers, once for each part of its work, and returns the
// contents of the files that the runs have written. The command shards merges these files. The
// benchmark of the library, notebooks/benchmark, uses this command.
//
// # Flink on one machine
//
// The job server of Flink contains an embedded Flink, on which a pipeline can be tried before it
// runs on a cluster. Two packages of Maven Central and their dependencies suffice:
// org.apache.beam:beam-runners-flink-1.19:2.62.0 and, for its log, org.slf4j:slf4j-simple:1.7.30.
// In a folder with a pom.xml that names both, run
//
//	mvn dependency:build-classpath -Dmdep.outputFile=classpath
//	java --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED \
//		-cp "$(cat classpath)" org.apache.beam.runners.flink.FlinkJobServerDriver \
//		--job-host=localhost --job-port=8099 --flink-master="[local]"
//
// Then Runner{Endpoint: "localhost:8099", Environment: Loopback} makes the program itself the
// worker. For workers in another process, as on a cluster, start the pool of the command shards and
// run a program, here the benchmark, from the root of the repository:
//
//	go -C ssdrnb/beam run ./shards -serve 50000
//	go run ./notebooks/benchmark -quick -runner "localhost:8099 -environment external \
//		-config localhost:50000 -folder /tmp -parts 6 -parallelism 2"
//
// Flink looks for the pool on the machine that runs a task, and the workers connect to Flink at
// localhost. A cluster therefore needs a pool on each of its machines. If Parallelism is 0, the
// configuration of Flink sets the number of tasks that run at a time; the job server's default is
// one.
//
// # What it does not do
//
// Single fits, comparisons and cached fits stay in this process. A fit is not divided: a fit that
// is too large for one machine is also too large for a cluster of such machines. Workers do not
// share intermediate results. Errors returned by a score keep their text and the sentinels of this
// library; other types in their chain are lost.
//
// # Who can run programs
//
// Prism has no authentication, and in Beam 2.77 it can only listen on all network interfaces. While
// it runs, others on the network can run programs as the user who started it. This package
// therefore starts Prism only if [Runner.OpenPort] is set. The job server of Flink listens on all
// network interfaces too, even with --job-host=localhost. The pool of [ServeWorkers] listens only
// on this machine, but every user of the machine can access it.
//
// The tests run pipelines on Prism, with workers in the same process and in another process. On
// Flink, part of the benchmark was run once with the commands above (Java 17, one machine), with
// [Loopback] and [External]; its scores equalled those of a local run. The job server accepted the
// cancellation of a job, but continued to run its tasks. Workers therefore end a task when the
// folder of its run is removed. Spark and Dataflow use the same interfaces, but were not tried.
//
// This is a separate module, so that programs and notebooks that do not import it neither download
// nor link Beam and its dependencies, 64 modules with 119 MB in total. Beam is licensed under the
// Apache License 2.0; version 2.77.0 was released in October 2026. A release of ssdrnb has a tag
// for each module, such as v0.1.0 and ssdrnb/beam/v0.1.0. The replace directive in go.mod is for
// development of the library and does not affect its users.
package beam
