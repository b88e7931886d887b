// Command gen writes the assembly of package attraction with avo. Only go generate runs it.
package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!noasm")
	one := GLOBL("one", attr.RODATA|attr.NOPTR)
	for k := range 4 {
		DATA(8*k, operand.U64(math.Float64bits(1)))
	}
	TEXT("sum4", NOSPLIT, "func(cols *int32, vals *float64, fours int, at *float64, x, y float64) (u, v float64)")
	Pragma("noescape")
	Doc("sum4 is plane for the first 4·fours entries of a row, fours > 0.")
	cols := Load(Param("cols"), GP64())
	vals := Load(Param("vals"), GP64())
	fours := Load(Param("fours"), GP64())
	at := Load(Param("at"), GP64())
	x, y, ones := YMM(), YMM(), YMM()
	param := func(name string, to reg.Register) {
		low := XMM()
		Load(Param(name), low)
		VBROADCASTSD(low, to)
	}
	param("x", x)
	param("y", y)
	VMOVUPD(one, ones)
	sum := XMM()
	VXORPD(sum, sum, sum)

	Label("four")
	// Load the positions of entries 0 and 2 into one register, and those of entries 1 and 3 into
	// another. Unpacking them yields all x and all y in the order 0, 1, 2, 3.
	pair := func(first, second int) reg.VecVirtual {
		to, other := YMM(), GP64()
		MOVLQSX(operand.Mem{Base: cols, Disp: 4 * first}, other)
		SHLQ(operand.Imm(4), other)
		VMOVUPD(operand.Mem{Base: at, Index: other, Scale: 1}, to.AsX())
		other = GP64()
		MOVLQSX(operand.Mem{Base: cols, Disp: 4 * second}, other)
		SHLQ(operand.Imm(4), other)
		VINSERTF128(operand.Imm(1), operand.Mem{Base: at, Index: other, Scale: 1}, to, to)
		return to
	}
	even, odd := pair(0, 2), pair(1, 3)
	s, t, f, square := YMM(), YMM(), YMM(), YMM()
	VUNPCKLPD(odd, even, s)
	VUNPCKHPD(odd, even, t)
	VSUBPD(s, x, s)
	VSUBPD(t, y, t)
	VMULPD(s, s, square)
	VADDPD(square, ones, f)
	VMULPD(t, t, square)
	VADDPD(square, f, f)
	weight := YMM()
	VMOVUPD(operand.Mem{Base: vals}, weight)
	VDIVPD(f, weight, f)
	VMULPD(f, s, s)
	VMULPD(f, t, t)
	// Add the entries one at a time, in the order of the loop in Go.
	even, odd = YMM(), YMM()
	VUNPCKLPD(t, s, even)
	VUNPCKHPD(t, s, odd)
	VADDPD(even.AsX(), sum, sum)
	VADDPD(odd.AsX(), sum, sum)
	high := XMM()
	VEXTRACTF128(operand.Imm(1), even, high)
	VADDPD(high, sum, sum)
	high = XMM()
	VEXTRACTF128(operand.Imm(1), odd, high)
	VADDPD(high, sum, sum)
	ADDQ(operand.Imm(16), cols)
	ADDQ(operand.Imm(32), vals)
	DECQ(fours)
	JNZ(operand.LabelRef("four"))
	Store(sum, Return("u"))
	VUNPCKHPD(sum, sum, sum)
	Store(sum, Return("v"))
	VZEROUPPER()
	RET()
	Generate()
}
