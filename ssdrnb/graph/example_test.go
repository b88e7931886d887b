package graph_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// line is five samples along a line; the last is far from the others.
var line = mat.NewDense(5, 1, []float64{0, 1, 3, 4, 10})

// The graph of nearest neighbours, and its Laplacian.
func ExampleLaplacian() {
	nb, err := graph.Search(ctx, line, 1, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		fmt.Println(err)
		return
	}
	weights, err := nb.Graph(graph.Or, graph.Binary())
	if err != nil {
		fmt.Println(err)
		return
	}
	l := graph.Laplacian(weights)
	for i := range 5 {
		fmt.Println(l.At(i, 0), l.At(i, 1), l.At(i, 2), l.At(i, 3), l.At(i, 4))
	}
	// Output:
	// 1 -1 0 0 0
	// -1 1 0 0 0
	// 0 0 1 -1 0
	// 0 0 -1 2 -1
	// 0 0 0 -1 1
}

// Components of a graph of nearest neighbours, and the shortest edges that join them.
func ExampleConnect() {
	nb, err := graph.Search(ctx, line, 1, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		fmt.Println(err)
		return
	}
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		fmt.Println(err)
		return
	}
	count, of := graph.Components(lengths)
	fmt.Println(count, of)
	joined, bridges, err := graph.Connect(ctx, line, lengths)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, unreachable, err := graph.Geodesics(ctx, joined)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bridges, unreachable, d.At(0, 4))
	// Output:
	// 2 [0 0 1 1 1]
	// [{1 2 2}] 0 10
}

// Five nodes in a row: the label of the first reaches the last after four steps.
func ExampleDiffuse() {
	nb, err := graph.Search(ctx, mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4}), 2, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		fmt.Println(err)
		return
	}
	row, err := nb.Graph(graph.And, graph.Binary())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, steps := range []int{3, 4} {
		share, err := graph.Diffuse(ctx, row, []int{0, -1, -1, -1, -1}, steps)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(mat.Col(nil, 0, share))
	}
	// Output:
	// [1 0.625 0.25 0.125 0]
	// [1 0.625 0.375 0.125 0.125]
}
