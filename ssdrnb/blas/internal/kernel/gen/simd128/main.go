// Command simd128 writes the inner loops of the matrix engine as a WebAssembly module with 128-bit
// SIMD instructions, which Go's compiler does not support:
//
//	go run ./gen/simd128 -out kernel_simd128.wasm
//
// The module contains the functions in stubs_amd64.go with 32-bit pointers and counts. It imports
// the memory of the Go program.
package main

import (
	"flag"
	"log"
	"os"
)

func main() {
	out := flag.String("out", "kernel_simd128.wasm", "the module's file")
	flag.Parse()
	if err := os.WriteFile(*out, module(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// Types and instructions of WebAssembly.
const (
	i32, f64, v128 = 0x7f, 0x7c, 0x7b

	block, loop, iff, end, brIf = 0x02, 0x03, 0x04, 0x0b, 0x0d
	get, set, tee               = 0x20, 0x21, 0x22
	f64Load, f64Store           = 0x2b, 0x39
	i32Const, i32LtS            = 0x41, 0x48
	i32Add, i32Sub, i32Shl      = 0x6a, 0x6b, 0x74
	f64Add, f64Mul              = 0xa0, 0xa2
	empty                       = 0x40

	// Opcodes after the prefix 0xfd.
	vLoad, vSplatLoad, vStore = 0, 10, 11
	vConst, vSplat, vLane     = 12, 20, 33
	vAdd, vMul                = 240, 242
)

// function is a WebAssembly function under construction. Its methods append instructions to code.
// Variables are given by their indices. A pair is a vector of two float64 numbers.
type function struct {
	name           string
	params, locals []byte
	result         []byte
	code           []byte
}

func unsigned(v int) (out []byte) {
	for {
		b := byte(v & 0x7f)
		if v >>= 7; v == 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

func signed(v int) (out []byte) {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

// op appends an instruction with its immediates.
func (f *function) op(code byte, immediates ...int) {
	f.code = append(f.code, code)
	for _, v := range immediates {
		f.code = append(f.code, unsigned(v)...)
	}
}

// simd appends an instruction with the SIMD prefix.
func (f *function) simd(code int, immediates ...int) {
	f.op(0xfd, append([]int{code}, immediates...)...)
}

// local declares a local variable of the given type and returns its index.
func (f *function) local(kind byte) int {
	f.locals = append(f.locals, kind)
	return len(f.params) + len(f.locals) - 1
}

func (f *function) get(v int)      { f.op(get, v) }
func (f *function) set(v int)      { f.op(set, v) }
func (f *function) number(v int)   { f.code = append(append(f.code, i32Const), signed(v)...) }
func (f *function) copy(to, v int) { f.get(v); f.set(to) }

// step adds the constant `by` to variable v.
func (f *function) step(v, by int) {
	f.get(v)
	f.number(by)
	f.op(i32Add)
	f.set(v)
}

// advance adds variable `by` to variable v.
func (f *function) advance(v, by int) {
	f.get(v)
	f.get(by)
	f.op(i32Add)
	f.set(v)
}

// scaled returns a local that holds 8·v, a stride in bytes.
func (f *function) scaled(v int) int {
	out := f.local(i32)
	f.get(v)
	f.number(3)
	f.op(i32Shl)
	f.set(out)
	return out
}

// offset returns a local that holds a + b.
func (f *function) offset(a, b int) int {
	out := f.local(i32)
	f.get(a)
	f.get(b)
	f.op(i32Add)
	f.set(out)
	return out
}

// load pushes the pair at the address in variable p plus bytes.
func (f *function) load(p, bytes int) {
	f.get(p)
	f.simd(vLoad, 3, bytes)
}

// splatAt loads the number at the address in variable p plus bytes, and pushes a pair that holds
// this number twice.
func (f *function) splatAt(p, bytes int) {
	f.get(p)
	f.simd(vSplatLoad, 3, bytes)
}

// madd adds a·b to the pair acc.
func (f *function) madd(acc, a, b int) {
	f.get(acc)
	f.get(a)
	f.get(b)
	f.simd(vMul)
	f.simd(vAdd)
	f.set(acc)
}

// sum pushes the sum of the two numbers of the pair v.
func (f *function) sum(v int) {
	f.get(v)
	f.simd(vLane, 0)
	f.get(v)
	f.simd(vLane, 1)
	f.op(f64Add)
}

// times emits a loop that executes body n times, at least once, and decrements n to 0.
func (f *function) times(n int, body func()) {
	f.op(loop, empty)
	body()
	f.get(n)
	f.number(1)
	f.op(i32Sub)
	f.op(tee, n)
	f.op(brIf, 0)
	f.op(end)
}

// pairs emits a loop over n numbers. The loop executes the code of `pair` for each pair of numbers,
// and then the code of `single` if n is odd. It changes n.
func (f *function) pairs(n int, pair, single func()) {
	f.op(block, empty)
	f.get(n)
	f.number(2)
	f.op(i32LtS)
	f.op(brIf, 0)
	f.op(loop, empty)
	pair()
	f.step(n, -2)
	f.number(1)
	f.get(n)
	f.op(i32LtS)
	f.op(brIf, 0)
	f.op(end)
	f.op(end)
	f.get(n)
	f.op(iff, empty)
	single()
	f.op(end)
}

// grow adds a number to the number at the address in variable p plus bytes. The code of `value`
// pushes the number to add.
func (f *function) grow(p, bytes int, value func()) {
	f.get(p)
	f.get(p)
	f.op(f64Load, 3, bytes)
	value()
	f.op(f64Add)
	f.op(f64Store, 3, bytes)
}

// loadNumber pushes the number at the address in variable p plus bytes.
func (f *function) loadNumber(p, bytes int) {
	f.get(p)
	f.op(f64Load, 3, bytes)
}

func (f *function) vectors(n int) []int {
	out := make([]int, n)
	for k := range out {
		out[k] = f.local(v128)
	}
	return out
}

// rows returns pointers to four rows that are lda apart. The first pointer is a itself.
func (f *function) rows(a, lda int) [4]int {
	stride := f.scaled(lda)
	r := [4]int{a}
	for k := 1; k < 4; k++ {
		r[k] = f.offset(r[k-1], stride)
	}
	return r
}

// gemm computes the 4×12 tile in three panels of four columns. The sums of a panel are eight pairs,
// few enough to stay in registers.
func gemm() *function {
	f := &function{name: "gemm4x12", params: []byte{i32, i32, i32, i32, i32, i32}}
	k, a, b, c, ldc, add := 0, 1, 2, 3, 4, 5
	stride := f.scaled(ldc)
	n, pa, pb, pc := f.local(i32), f.local(i32), f.local(i32), f.local(i32)
	acc, row, v := f.vectors(8), f.vectors(2), f.local(v128)
	for panel := range 3 {
		f.copy(n, k)
		f.copy(pa, a)
		f.copy(pb, b)
		for _, x := range acc { // clear the locals after an earlier panel
			f.code = append(append(f.code, 0xfd, vConst), make([]byte, 16)...)
			f.set(x)
		}
		f.times(n, func() {
			for h := range 2 {
				f.load(pb, 32*panel+16*h)
				f.set(row[h])
			}
			for r := range 4 {
				f.splatAt(pa, 8*r)
				f.set(v)
				f.madd(acc[2*r], v, row[0])
				f.madd(acc[2*r+1], v, row[1])
			}
			f.step(pa, 32)
			f.step(pb, 96)
		})
		f.copy(pc, c)
		for r := range 4 {
			for h := range 2 {
				at := 32*panel + 16*h
				f.get(add)
				f.op(iff, empty)
				f.get(acc[2*r+h])
				f.load(pc, at)
				f.simd(vAdd)
				f.set(acc[2*r+h])
				f.op(end)
				f.get(pc)
				f.get(acc[2*r+h])
				f.simd(vStore, 3, at)
			}
			f.advance(pc, stride)
		}
	}
	return f
}

// panel writes symv4, dot4 or axpy4 for four rows: t += A·x if withX is true, and y += sᵀA if withY
// is true.
func panel(name string, withX, withY bool) *function {
	f := &function{name: name}
	n, a, lda, x, y, s, t := 0, 1, 2, -1, -1, -1, -1
	f.params = []byte{i32, i32, i32}
	next := func() int {
		f.params = append(f.params, i32)
		return len(f.params) - 1
	}
	switch {
	case withX && withY:
		x, y, s, t = next(), next(), next(), next()
	case withX:
		x, t = next(), next()
	default:
		s, y = next(), next()
	}
	r := f.rows(a, lda)
	scales, sums := f.vectors(4), f.vectors(4)
	vx, vy, vb := f.local(v128), f.local(v128), f.local(v128)
	last := f.local(f64)
	if withY {
		for k := range 4 {
			f.splatAt(s, 8*k)
			f.set(scales[k])
		}
	}
	f.pairs(n, func() {
		if withX {
			f.load(x, 0)
			f.set(vx)
		}
		if withY {
			f.load(y, 0)
			f.set(vy)
		}
		for k := range 4 {
			f.load(r[k], 0)
			f.set(vb)
			if withY {
				f.madd(vy, scales[k], vb)
			}
			if withX {
				f.madd(sums[k], vb, vx)
			}
			f.step(r[k], 16)
		}
		if withY {
			f.get(y)
			f.get(vy)
			f.simd(vStore, 3, 0)
			f.step(y, 16)
		}
		if withX {
			f.step(x, 16)
		}
	}, func() {
		for k := range 4 {
			f.loadNumber(r[k], 0)
			f.set(last)
			if withY {
				f.grow(y, 0, func() {
					f.loadNumber(s, 8*k)
					f.get(last)
					f.op(f64Mul)
				})
			}
			if withX {
				f.grow(t, 8*k, func() {
					f.loadNumber(x, 0)
					f.get(last)
					f.op(f64Mul)
				})
			}
		}
	})
	if withX {
		for k := range 4 {
			f.grow(t, 8*k, func() { f.sum(sums[k]) })
		}
	}
	return f
}

func dot() *function {
	f := &function{name: "dot", params: []byte{i32, i32, i32}, result: []byte{f64}}
	n, x, y := 0, 1, 2
	acc, vx, vy, rest := f.local(v128), f.local(v128), f.local(v128), f.local(f64)
	f.pairs(n, func() {
		f.load(x, 0)
		f.set(vx)
		f.load(y, 0)
		f.set(vy)
		f.madd(acc, vx, vy)
		f.step(x, 16)
		f.step(y, 16)
	}, func() {
		f.loadNumber(x, 0)
		f.loadNumber(y, 0)
		f.op(f64Mul)
		f.set(rest)
	})
	f.sum(acc)
	f.get(rest)
	f.op(f64Add)
	return f
}

func axpy() *function {
	f := &function{name: "axpy", params: []byte{i32, f64, i32, i32}}
	n, s, x, y := 0, 1, 2, 3
	scale := f.local(v128)
	f.get(s)
	f.simd(vSplat)
	f.set(scale)
	f.pairs(n, func() {
		f.get(y)
		f.load(y, 0)
		f.load(x, 0)
		f.get(scale)
		f.simd(vMul)
		f.simd(vAdd)
		f.simd(vStore, 3, 0)
		f.step(x, 16)
		f.step(y, 16)
	}, func() {
		f.grow(y, 0, func() {
			f.loadNumber(x, 0)
			f.get(s)
			f.op(f64Mul)
		})
	})
	return f
}

func cross() *function {
	f := &function{name: "cross4", params: []byte{i32, i32, i32, i32, i32, i32}}
	k, a, lda, b, ldb, c := 0, 1, 2, 3, 4, 5
	sa, sb := f.scaled(lda), f.scaled(ldb)
	acc, row, v := f.vectors(8), f.vectors(2), f.local(v128)
	f.times(k, func() {
		for h := range 2 {
			f.load(b, 16*h)
			f.set(row[h])
		}
		for r := range 4 {
			f.splatAt(a, 8*r)
			f.set(v)
			f.madd(acc[2*r], v, row[0])
			f.madd(acc[2*r+1], v, row[1])
		}
		f.advance(a, sa)
		f.advance(b, sb)
	})
	for r, x := range acc {
		f.get(c)
		f.get(x)
		f.load(c, 16*r)
		f.simd(vAdd)
		f.simd(vStore, 3, 16*r)
	}
	return f
}

func expand() *function {
	f := &function{name: "expand4", params: []byte{i32, i32, i32, i32, i32, i32}}
	k, a, lda, b, c, ldc := 0, 1, 2, 3, 4, 5
	sa, sc := f.scaled(lda), f.scaled(ldc)
	held, out, v := f.vectors(8), f.vectors(2), f.local(v128)
	for r, x := range held {
		f.load(b, 16*r)
		f.set(x)
	}
	f.times(k, func() {
		for h := range 2 {
			f.load(c, 16*h)
			f.set(out[h])
		}
		for r := range 4 {
			f.splatAt(a, 8*r)
			f.set(v)
			f.madd(out[0], v, held[2*r])
			f.madd(out[1], v, held[2*r+1])
		}
		for h := range 2 {
			f.get(c)
			f.get(out[h])
			f.simd(vStore, 3, 16*h)
		}
		f.advance(a, sa)
		f.advance(c, sc)
	})
	return f
}

// vector returns the items preceded by their count.
func vector(items ...[]byte) []byte {
	out := unsigned(len(items))
	for _, item := range items {
		out = append(out, item...)
	}
	return out
}

func text(s string) []byte { return append(unsigned(len(s)), s...) }

// module returns the whole module in WebAssembly's binary format.
func module() []byte {
	functions := []*function{gemm(), panel("symv4", true, true), panel("dot4", true, false), panel("axpy4", false, true), dot(), axpy(), cross(), expand()}
	var types, list, exports, bodies [][]byte
	for k, f := range functions {
		one := append([]byte{0x60}, append(unsigned(len(f.params)), f.params...)...)
		types = append(types, append(one, append(unsigned(len(f.result)), f.result...)...))
		list = append(list, unsigned(k))
		exports = append(exports, append(text(f.name), append([]byte{0}, unsigned(k)...)...))
		var locals [][]byte
		for _, kind := range f.locals {
			locals = append(locals, []byte{1, kind})
		}
		body := append(append(vector(locals...), f.code...), end)
		bodies = append(bodies, append(unsigned(len(body)), body...))
	}
	memory := append(append(text("env"), text("memory")...), 0x02, 0x00, 0x01) // at least one page
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, part := range []struct {
		id      byte
		content []byte
	}{{1, vector(types...)}, {2, vector(memory)}, {3, vector(list...)}, {7, vector(exports...)}, {10, vector(bodies...)}} {
		out = append(append(append(out, part.id), unsigned(len(part.content))...), part.content...)
	}
	return out
}
