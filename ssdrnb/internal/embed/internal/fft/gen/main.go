// Command gen writes the assembly of package fft with avo. Only go generate runs it.
package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!noasm")
	pass(2, butterfly2)
	pass(3, butterfly3)
	pass(4, butterfly4)
	pass(5, butterfly5)
	Generate()
}

// number is a complex number in each of four lanes.
type number struct{ re, im reg.VecVirtual }

func add(a, b number) number { return componentwise(VADDPD, a, b) }
func sub(a, b number) number { return componentwise(VSUBPD, a, b) }

// componentwise applies op to the real parts and to the imaginary parts.
func componentwise(op func(...operand.Op), a, b number) number {
	c := number{YMM(), YMM()}
	op(b.re, a.re, c.re)
	op(b.im, a.im, c.im)
	return c
}

// turned returns −i·(a − b).
func turned(a, b number) number {
	c := number{YMM(), YMM()}
	VSUBPD(b.im, a.im, c.re)
	VSUBPD(a.re, b.re, c.im)
	return c
}

// times returns a·f.
func times(a number, f float64) number {
	c := number{YMM(), YMM()}
	at := constant(f)
	VMULPD(at, a.re, c.re)
	VMULPD(at, a.im, c.im)
	return c
}

var constants = map[float64]operand.Mem{}

// constant returns the address of a number repeated in all lanes.
func constant(f float64) operand.Mem {
	if at, ok := constants[f]; ok {
		return at
	}
	at := GLOBL(fmt.Sprintf("all%016x", math.Float64bits(f)), attr.RODATA|attr.NOPTR)
	for k := range 4 {
		DATA(8*k, operand.F64(f))
	}
	constants[f] = at
	return at
}

// The butterflies, functions butterfly2 to butterfly5, load an element when they need it and store
// each result at once, because there are only sixteen registers.

func butterfly2(load func(e int) number, store func(e int, v number)) {
	a, b := load(0), load(1)
	store(0, add(a, b))
	store(1, sub(a, b))
}

func butterfly3(load func(e int) number, store func(e int, v number)) {
	a, b, c := load(0), load(1), load(2)
	t, u := add(b, c), times(turned(b, c), math.Sqrt(3)/2)
	store(0, add(a, t))
	v := sub(a, times(t, 0.5))
	store(1, add(v, u))
	store(2, sub(v, u))
}

func butterfly4(load func(e int) number, store func(e int, v number)) {
	a, b := load(0), load(2)
	t, u := add(a, b), sub(a, b)
	a, b = load(1), load(3)
	v, w := add(a, b), turned(a, b)
	store(0, add(t, v))
	store(2, sub(t, v))
	store(1, add(u, w))
	store(3, sub(u, w))
}

func butterfly5(load func(e int) number, store func(e int, v number)) {
	sin5, cos5 := math.Sincos(2 * math.Pi / 5)
	sin9, cos9 := math.Sincos(4 * math.Pi / 5)
	a, b := load(1), load(4)
	t, u := add(a, b), turned(a, b)
	a, b = load(2), load(3)
	v, w := add(a, b), turned(a, b)
	store(0, add(add(load(0), t), v))
	c := add(add(load(0), times(t, cos5)), times(v, cos9))
	d := add(times(u, sin5), times(w, sin9))
	e := sub(c, d)
	store(1, add(c, d))
	store(4, e)
	c = add(add(load(0), times(t, cos9)), times(v, cos5))
	d = sub(times(u, sin9), times(w, sin5))
	e = sub(c, d)
	store(2, add(c, d))
	store(3, e)
}

const (
	four64 = 64 // size of a Four in bytes
	half   = 32
)

// pass writes the assembly of a stage of the given radix.
func pass(radix int, butterfly func(load func(e int) number, store func(e int, v number))) {
	TEXT(fmt.Sprintf("pass%d", radix), NOSPLIT, "func(span, stride int, x, y, turns *float64)")
	Pragma("noescape")
	Doc(fmt.Sprintf("pass%d is a stage of radix %d.", radix, radix))
	span := Load(Param("span"), GP64())
	stride := Load(Param("stride"), GP64())
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	turns := Load(Param("turns"), GP64())
	// Distances in bytes between the elements of a butterfly, in the input and in the output.
	before, after := GP64(), GP64()
	MOVQ(stride, after)
	SHLQ(operand.Imm(6), after)
	MOVQ(after, before)
	IMULQ(span, before)
	// Addresses are relative to two pointers: elements 0, 1 and 2 to the first, 3 and 4 to the
	// second.
	far := func(base, step reg.Register) reg.GPVirtual {
		to := GP64()
		LEAQ(operand.Mem{Base: base, Index: step, Scale: 2}, to)
		ADDQ(step, to)
		return to
	}
	at := func(base, beyond, step reg.Register, e int) operand.Mem {
		switch e {
		case 0:
			return operand.Mem{Base: base}
		case 1, 2:
			return operand.Mem{Base: base, Index: step, Scale: uint8(e)}
		case 3:
			return operand.Mem{Base: beyond}
		}
		return operand.Mem{Base: beyond, Index: step, Scale: 1}
	}
	Label("turn")
	count := GP64()
	MOVQ(stride, count)
	Label("element")
	{
		xFar, yFar := x, y
		if radix > 3 {
			xFar, yFar = far(x, before), far(y, after)
		}
		butterfly(func(e int) number {
			v := number{YMM(), YMM()}
			VMOVUPD(at(x, xFar, before, e), v.re)
			VMOVUPD(at(x, xFar, before, e).Offset(half), v.im)
			return v
		}, func(e int, v number) {
			to := at(y, yFar, after, e)
			if e > 0 {
				w, p, q := YMM(), YMM(), YMM()
				VBROADCASTSD(operand.Mem{Base: turns, Disp: 16 * (e - 1)}, w)
				VMULPD(w, v.re, p)
				VMULPD(w, v.im, q)
				VBROADCASTSD(operand.Mem{Base: turns, Disp: 16*(e-1) + 8}, w)
				VMULPD(w, v.im, v.im)
				VMULPD(w, v.re, v.re)
				VSUBPD(v.im, p, p)
				VADDPD(q, v.re, q)
				v = number{p, q}
			}
			VMOVUPD(v.re, to)
			VMOVUPD(v.im, to.Offset(half))
		})
	}
	ADDQ(operand.Imm(four64), x)
	ADDQ(operand.Imm(four64), y)
	DECQ(count)
	JNZ(operand.LabelRef("element"))
	// x already points at the inputs of the next butterfly index k. y has advanced by one output
	// block and must skip the other radix − 1.
	for range radix - 1 {
		ADDQ(after, y)
	}
	ADDQ(operand.Imm(uint64(16*(radix-1))), turns)
	DECQ(span)
	JNZ(operand.LabelRef("turn"))
	VZEROUPPER()
	RET()
}
