package data_test

import (
	"errors"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Methods do not panic, whatever the data and with arguments that are nil, empty or negative.
func TestNoPanics(t *testing.T) {
	square := mat.NewSymDense(3, []float64{0, 1, 2, 1, 0, 1, 2, 1, 0})
	target := grid().WithTarget("height", make([]float64, grid().Len()))
	for name, v := range map[string]any{
		"features": grid(), "distances": data.FromDistances(square), "neighbours": data.FromNeighbors(1, []int32{1, 0}, []float64{1, 1}),
		"target": target, "failed": data.Failed("none", data.ErrEmpty),
		"scaling": grid().LearnStandardize(), "projection": grid().LearnPCA(1), "no scaling": data.Scaling{}, "failed scaling": data.NewScaling("", nil, nil),
		"pairs": data.Pairs{Must: []data.Pair{{I: 0, J: 1}}}, "anchors": data.Anchors{},
	} {
		of := reflect.ValueOf(v)
		for k := range of.NumMethod() {
			for _, number := range []int{0, -1} {
				call(t, name+"."+of.Type().Method(k).Name, of.Method(k), number)
			}
		}
	}
}

// call calls the method. Each argument that is an integer is number, and the others are zero values.
func call(t *testing.T, name string, method reflect.Value, number int) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s(%d) panics: %v", name, number, r)
		}
	}()
	in := make([]reflect.Value, method.Type().NumIn())
	for k := range in {
		in[k] = reflect.New(method.Type().In(k)).Elem()
		if in[k].CanInt() {
			in[k].SetInt(int64(number))
		}
	}
	if method.Type().IsVariadic() {
		method.CallSlice(in)
		return
	}
	method.Call(in)
}

// Missing data are an error that says so.
func TestMissing(t *testing.T) {
	_, err := grid().LearnStandardize().Apply(nil)
	_, none := data.Scaling{}.Apply(nil)
	for name, err := range map[string]error{"Apply": err, "Apply without steps": none, "Validate": (*data.Data)(nil).Validate()} {
		if !errors.Is(err, data.ErrEmpty) {
			t.Errorf("%s of nil: %v", name, err)
		}
	}
}
