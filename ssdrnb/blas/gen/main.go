// Command gen writes the AVX2 kernels of package blas:
//
//	go generate ./ssdrnb/blas
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	product()
	dotAxpy()
	Generate()
}

// product is the micro-kernel of matrix products: twelve accumulators of four
// numbers, three of B and one of A fill the sixteen registers.
func product() {
	TEXT("kernel4x12", NOSPLIT, "func(k int, a, b, c *float64, ldc int)")
	Doc("kernel4x12 adds to the 4×12 tile c, with rows ldc numbers apart, the product of", "the packed panels a (k×4) and b (k×12).")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	SHLQ(Imm(3), ldc)
	var acc [4][3]VecVirtual
	for i := range acc {
		for j := range acc[i] {
			acc[i][j] = YMM()
			VXORPD(acc[i][j], acc[i][j], acc[i][j])
		}
	}
	bv := []VecVirtual{YMM(), YMM(), YMM()}
	av := YMM()
	step := func(p int) {
		for j := range bv {
			VMOVUPD(Mem{Base: b, Disp: 96*p + 32*j}, bv[j])
		}
		for i := range acc {
			VBROADCASTSD(Mem{Base: a, Disp: 32*p + 8*i}, av)
			for j := range bv {
				VFMADD231PD(bv[j], av, acc[i][j])
			}
		}
	}
	const unroll = 4
	rounds := GP64()
	MOVQ(k, rounds)
	SHRQ(Imm(2), rounds)
	TESTQ(rounds, rounds)
	JZ(LabelRef("rest"))
	Label("round")
	for p := range unroll {
		step(p)
	}
	ADDQ(U32(32*unroll), a)
	ADDQ(U32(96*unroll), b)
	DECQ(rounds)
	JNZ(LabelRef("round"))
	Label("rest")
	ANDQ(Imm(unroll-1), k)
	JZ(LabelRef("store"))
	Label("one")
	step(0)
	ADDQ(U32(32), a)
	ADDQ(U32(96), b)
	DECQ(k)
	JNZ(LabelRef("one"))
	Label("store")
	for i := range acc {
		for j := range acc[i] {
			VADDPD(Mem{Base: c, Disp: 32 * j}, acc[i][j], acc[i][j])
			VMOVUPD(acc[i][j], Mem{Base: c, Disp: 32 * j})
		}
		if i < 3 {
			ADDQ(ldc, c)
		}
	}
	VZEROUPPER()
	RET()
}

// dotAxpy reads a row of a symmetric matrix once for both halves of its product
// with a vector.
func dotAxpy() {
	TEXT("dotAxpy", NOSPLIT, "func(n int, a, x, y *float64, alpha float64) float64")
	Doc("dotAxpy adds alpha·a to y and returns the dot product of a and x, all of n numbers.")
	n := Load(Param("n"), GP64())
	a := Load(Param("a"), GP64())
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	alpha := YMM()
	VBROADCASTSD(mustAddr("alpha"), alpha)
	sums := []VecVirtual{YMM(), YMM()}
	for _, s := range sums {
		VXORPD(s, s, s)
	}
	rounds := GP64()
	MOVQ(n, rounds)
	SHRQ(Imm(3), rounds)
	TESTQ(rounds, rounds)
	JZ(LabelRef("tail"))
	Label("eight")
	for h, s := range sums {
		av, yv := YMM(), YMM()
		VMOVUPD(Mem{Base: a, Disp: 32 * h}, av)
		VFMADD231PD(Mem{Base: x, Disp: 32 * h}, av, s)
		VMOVUPD(Mem{Base: y, Disp: 32 * h}, yv)
		VFMADD231PD(alpha, av, yv)
		VMOVUPD(yv, Mem{Base: y, Disp: 32 * h})
	}
	for _, p := range []GPVirtual{a.(GPVirtual), x.(GPVirtual), y.(GPVirtual)} {
		ADDQ(U32(64), p)
	}
	DECQ(rounds)
	JNZ(LabelRef("eight"))
	Label("tail")
	VADDPD(sums[0], sums[1], sums[0])
	high, low := XMM(), sums[0].AsX()
	VEXTRACTF128(Imm(1), sums[0], high)
	VADDPD(high, low, low)
	VHADDPD(low, low, low)
	ANDQ(Imm(7), n)
	JZ(LabelRef("done"))
	Label("single")
	av, yv := XMM(), XMM()
	VMOVSD(Mem{Base: a}, av)
	VFMADD231SD(Mem{Base: x}, av, low)
	VMOVSD(Mem{Base: y}, yv)
	VFMADD231SD(alpha.AsX(), av, yv)
	VMOVSD(yv, Mem{Base: y})
	for _, p := range []GPVirtual{a.(GPVirtual), x.(GPVirtual), y.(GPVirtual)} {
		ADDQ(U32(8), p)
	}
	DECQ(n)
	JNZ(LabelRef("single"))
	Label("done")
	Store(low, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func mustAddr(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(fmt.Sprint("parameter ", name, ": ", err))
	}
	return b.Addr
}
