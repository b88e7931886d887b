//go:build js && wasm && ssdrnb_simd128

package kernel

import (
	_ "embed"
	"syscall/js"
	"unsafe"
)

//go:generate go run ./gen/simd128 -out kernel_simd128.wasm

// module is a WebAssembly module with the loops. The host of the program must provide the function
// ssdrnbKernel, which instantiates the module on the program's memory. The host must also forward
// the imports below to the module; see widgets/page/worker.js.
//
//go:embed kernel_simd128.wasm
var module []byte

// Instructions names the instruction set of the loops.
const Instructions = "simd128"

// Fast is true if the loops run in the module. The browser must support SIMD.
var Fast = func() bool {
	raw := js.Global().Get("Uint8Array").New(len(module))
	js.CopyBytesToJS(raw, module)
	return js.Global().Call("ssdrnbKernel", raw).Bool()
}()

//go:wasmimport ssdrnb gemm4x12
//go:noescape
func simdGEMM(k int32, a, b, c unsafe.Pointer, ldc int32, add int32)

//go:wasmimport ssdrnb symv4
//go:noescape
func simdSymV(n int32, a unsafe.Pointer, lda int32, x, y, s, t unsafe.Pointer)

//go:wasmimport ssdrnb dot4
//go:noescape
func simdDot4(n int32, a unsafe.Pointer, lda int32, x, t unsafe.Pointer)

//go:wasmimport ssdrnb axpy4
//go:noescape
func simdAxpy4(n int32, a unsafe.Pointer, lda int32, s, y unsafe.Pointer)

//go:wasmimport ssdrnb dot
//go:noescape
func simdDot(n int32, x, y unsafe.Pointer) float64

//go:wasmimport ssdrnb axpy
//go:noescape
func simdAxpy(n int32, s float64, x, y unsafe.Pointer)

//go:wasmimport ssdrnb cross4
//go:noescape
func simdCross(k int32, a unsafe.Pointer, lda int32, b unsafe.Pointer, ldb int32, c unsafe.Pointer)

//go:wasmimport ssdrnb expand4
//go:noescape
func simdExpand(k int32, a unsafe.Pointer, lda int32, b, c unsafe.Pointer, ldc int32)

func gemm4x12(k int, a, b, c *float64, ldc int, add bool) {
	more := int32(0)
	if add {
		more = 1
	}
	simdGEMM(int32(k), unsafe.Pointer(a), unsafe.Pointer(b), unsafe.Pointer(c), int32(ldc), more)
}

func symv4(n int, a *float64, lda int, x, y, s, t *float64) {
	simdSymV(int32(n), unsafe.Pointer(a), int32(lda), unsafe.Pointer(x), unsafe.Pointer(y), unsafe.Pointer(s), unsafe.Pointer(t))
}

func dot4(n int, a *float64, lda int, x, t *float64) {
	simdDot4(int32(n), unsafe.Pointer(a), int32(lda), unsafe.Pointer(x), unsafe.Pointer(t))
}

func axpy4(n int, a *float64, lda int, s, y *float64) {
	simdAxpy4(int32(n), unsafe.Pointer(a), int32(lda), unsafe.Pointer(s), unsafe.Pointer(y))
}

func dot(n int, x, y *float64) float64 {
	return simdDot(int32(n), unsafe.Pointer(x), unsafe.Pointer(y))
}

func axpy(n int, s float64, x, y *float64) {
	simdAxpy(int32(n), s, unsafe.Pointer(x), unsafe.Pointer(y))
}

func cross4(k int, a *float64, lda int, b *float64, ldb int, c *float64) {
	simdCross(int32(k), unsafe.Pointer(a), int32(lda), unsafe.Pointer(b), int32(ldb), unsafe.Pointer(c))
}

func expand4(k int, a *float64, lda int, b, c *float64, ldc int) {
	simdExpand(int32(k), unsafe.Pointer(a), int32(lda), unsafe.Pointer(b), unsafe.Pointer(c), int32(ldc))
}
