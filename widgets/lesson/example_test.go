package lesson_test

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/widgets/lesson"
)

// Taking the two best players is a wrong answer, and Check reports a counterexample.
func ExampleCheck() {
	lesson.Check("bestpair", func(won, lost []float64) (first, second int) {
		for i := range won {
			if won[i]/lost[i] > won[first]/lost[first] {
				first = i
			}
		}
		second = (first + 1) % len(won)
		for i := range won {
			if i != first && won[i]/lost[i] > won[second]/lost[second] {
				second = i
			}
		}
		return first, second
	}).Show()
	// Output:
	// bestpair: not yet, 2 of 5 tests passed
	//   ✓ with only two cards, these two are the pair
	//   ✗ the cards X, Y and Z of the lesson
	//     For won [17.88 1.72 0] and lost [0.96 0.68 0.09] it returns 0 and 1, a ratio of sums of 11.95. Another pair has a ratio of sums of 17.03.
	//   ✓ a player who loses nothing
	//   ✗ any order of the cards
	//     For won [17.88 0 1.72] and lost [0.96 0.09 0.68] it returns 0 and 2, a ratio of sums of 11.95. Another pair has a ratio of sums of 17.03.
	//   ✗ 200 random hands of five
	//     For won [1.61 0.47 7.34 2.6 5.62] and lost [1.03 0.43 0.58 0.47 0.79] it returns 2 and 4, a ratio of sums of 9.46. Another pair has a ratio of sums of 9.467.
}

// The band is narrow at a measurement and wide far from it.
func ExamplePredict() {
	mean, deviation := lesson.Predict([]float64{1, 2}, []float64{0.5, 0.7}, 1, []float64{1, 9})
	fmt.Printf("%.2f ± %.2f, %.2f ± %.2f\n", mean[0], deviation[0], mean[1], deviation[1])
	// Output: 0.50 ± 0.10, 0.00 ± 1.00
}
