// Command gen writes the assembly of package kernel with avo. Only go generate runs it.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// width is the number of float64 in a YMM register.
const width = 4

func main() {
	ConstraintExpr("amd64,!noasm")
	gemm()
	symv()
	dotRows()
	addRows()
	dot()
	axpy()
	cross()
	expand()
	Generate()
}

// rowPointers loads the addresses of four rows.
func rowPointers(a, lda reg.Register) [4]reg.Register {
	var p [4]reg.Register
	stride := GP64()
	MOVQ(lda, stride)
	SHLQ(operand.Imm(3), stride)
	p[0] = a
	for r := 1; r < 4; r++ {
		p[r] = GP64()
		LEAQ(operand.Mem{Base: p[r-1], Index: stride, Scale: 1}, p[r])
	}
	return p
}

// gemm is the micro-kernel of the product. The 4×12 tile of C stays in twelve registers. A row of B
// takes three registers, and the broadcast of an entry of A takes one.
func gemm() {
	TEXT("gemm4x12", NOSPLIT, "func(k int, a, b, c *float64, ldc int, add bool)")
	Pragma("noescape")
	Doc("gemm4x12 sets the 4×12 tile c (stride ldc) to A·B, or adds A·B to it. A is packed by columns of 4, B by rows of 12.")
	k := Load(Param("k"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	p := rowPointers(c, ldc)
	for r := range 4 { // prefetch the tile, which is needed after the sum
		PREFETCHT0(operand.Mem{Base: p[r]})
		PREFETCHT0(operand.Mem{Base: p[r], Disp: 88})
	}
	var acc [4][3]reg.VecVirtual
	for r := range 4 {
		for v := range 3 {
			acc[r][v] = YMM()
			VXORPD(acc[r][v], acc[r][v], acc[r][v])
		}
	}
	step := func(u int) {
		var bv [3]reg.VecVirtual
		for v := range 3 {
			bv[v] = YMM()
			VMOVUPD(operand.Mem{Base: b, Disp: 8 * (12*u + width*v)}, bv[v])
		}
		for r := range 4 {
			av := YMM()
			VBROADCASTSD(operand.Mem{Base: a, Disp: 8 * (4*u + r)}, av)
			for v := range 3 {
				VFMADD231PD(bv[v], av, acc[r][v])
			}
		}
	}
	const unroll = 4
	Label("unrolled")
	CMPQ(k, operand.Imm(unroll))
	JL(operand.LabelRef("rest"))
	PREFETCHT0(operand.Mem{Base: a, Disp: 512})
	PREFETCHT0(operand.Mem{Base: a, Disp: 576})
	for u := range unroll {
		step(u)
	}
	ADDQ(operand.Imm(8*4*unroll), a)
	ADDQ(operand.U32(8*12*unroll), b)
	SUBQ(operand.Imm(unroll), k)
	JMP(operand.LabelRef("unrolled"))
	Label("rest")
	TESTQ(k, k)
	JE(operand.LabelRef("store"))
	step(0)
	ADDQ(operand.Imm(8*4), a)
	ADDQ(operand.Imm(8*12), b)
	DECQ(k)
	JMP(operand.LabelRef("rest"))
	Label("store")
	add := Load(Param("add"), GP8())
	TESTB(add, add)
	JE(operand.LabelRef("set"))
	for r := range 4 {
		for v := range 3 {
			VADDPD(operand.Mem{Base: p[r], Disp: 8 * width * v}, acc[r][v], acc[r][v])
		}
	}
	Label("set")
	for r := range 4 {
		for v := range 3 {
			VMOVUPD(acc[r][v], operand.Mem{Base: p[r], Disp: 8 * width * v})
		}
	}
	VZEROUPPER()
	RET()
}

// at returns the address of element i+offset of the vector at base.
func at(base, i reg.Register, offset int) operand.Mem {
	return operand.Mem{Base: base, Index: i, Scale: 8, Disp: 8 * offset}
}

// loop emits a loop over the elements i = 0 … n-1. `vector` emits code for `width` elements, which
// the loop runs first in groups of `unroll` vectors and then for single vectors. `scalar` emits
// code for one element, which the loop runs for each remaining element. Both start at element
// i+offset; u is the index of the vector within its group.
func loop(n reg.Register, unroll int, vector, scalar func(i reg.Register, offset, u int)) {
	i, left := GP64(), GP64()
	XORQ(i, i)
	MOVQ(n, left)
	Label("unrolled")
	CMPQ(left, operand.Imm(uint64(width*unroll)))
	JL(operand.LabelRef("vectors"))
	for u := range unroll {
		vector(i, width*u, u)
	}
	ADDQ(operand.Imm(uint64(width*unroll)), i)
	SUBQ(operand.Imm(uint64(width*unroll)), left)
	JMP(operand.LabelRef("unrolled"))
	Label("vectors")
	CMPQ(left, operand.Imm(width))
	JL(operand.LabelRef("scalars"))
	vector(i, 0, 0)
	ADDQ(operand.Imm(width), i)
	SUBQ(operand.Imm(width), left)
	JMP(operand.LabelRef("vectors"))
	Label("scalars")
	TESTQ(left, left)
	JE(operand.LabelRef("done"))
	scalar(i, 0, 0)
	INCQ(i)
	DECQ(left)
	JMP(operand.LabelRef("scalars"))
	Label("done")
}

// zero returns n cleared registers.
func zero(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = YMM()
		VXORPD(v[i], v[i], v[i])
	}
	return v
}

// sum adds the four entries of v. The sum is in the lowest entry of the result.
func sum(v reg.VecVirtual) reg.VecVirtual {
	high := XMM()
	VEXTRACTF128(operand.Imm(1), v, high)
	low := XMM()
	VADDPD(v.AsX(), high, low)
	VHADDPD(low, low, low)
	return low
}

// broadcast4 loads the four scalars at p into a register each.
func broadcast4(p reg.Register) [4]reg.VecVirtual {
	var s [4]reg.VecVirtual
	for r := range s {
		s[r] = YMM()
		VBROADCASTSD(operand.Mem{Base: p, Disp: 8 * r}, s[r])
	}
	return s
}

// symv emits symv4, which reads four rows of a symmetric matrix once, as rows and as columns.
func symv() {
	TEXT("symv4", NOSPLIT, "func(n int, a *float64, lda int, x, y, s, t *float64)")
	Pragma("noescape")
	Doc("symv4 adds sᵀA to y[:n] and A·x to t[:4] for the 4×n matrix A with stride lda.")
	n := Load(Param("n"), GP64())
	p := rowPointers(Load(Param("a"), GP64()), Load(Param("lda"), GP64()))
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	sv := broadcast4(Load(Param("s"), GP64()))
	acc := zero(4)
	loop(n, 2, func(i reg.Register, offset, _ int) {
		xv, yv := YMM(), YMM()
		VMOVUPD(at(x, i, offset), xv)
		VMOVUPD(at(y, i, offset), yv)
		for r := range 4 {
			av := YMM()
			VMOVUPD(at(p[r], i, offset), av)
			VFMADD231PD(av, sv[r], yv)
			VFMADD231PD(av, xv, acc[r])
		}
		VMOVUPD(yv, at(y, i, offset))
	}, func(i reg.Register, offset, _ int) {
		xv, yv := XMM(), XMM()
		VMOVSD(at(x, i, 0), xv)
		VMOVSD(at(y, i, 0), yv)
		for r := range 4 {
			av := XMM()
			VMOVSD(at(p[r], i, 0), av)
			VFMADD231SD(av, sv[r].AsX(), yv)
			// A scalar FMA would clear the upper half of the sum, so add a vector whose upper
			// entries are zero.
			VFMADD231PD(av.AsY(), xv.AsY(), acc[r])
		}
		VMOVSD(yv, at(y, i, 0))
	})
	storeSums(acc)
}

// storeSums adds the sum of each register in acc to one of the four numbers at the parameter t.
func storeSums(acc []reg.VecVirtual) {
	t := Load(Param("t"), GP64())
	for r := range 4 {
		s := sum(acc[r])
		VADDSD(operand.Mem{Base: t, Disp: 8 * r}, s, s)
		VMOVSD(s, operand.Mem{Base: t, Disp: 8 * r})
	}
	VZEROUPPER()
	RET()
}

func dotRows() {
	TEXT("dot4", NOSPLIT, "func(n int, a *float64, lda int, x, t *float64)")
	Pragma("noescape")
	Doc("dot4 adds A·x to t[:4] for the 4×n matrix A with stride lda.")
	n := Load(Param("n"), GP64())
	p := rowPointers(Load(Param("a"), GP64()), Load(Param("lda"), GP64()))
	x := Load(Param("x"), GP64())
	even, odd := zero(4), zero(4)
	loop(n, 2, func(i reg.Register, offset, u int) {
		xv := YMM()
		VMOVUPD(at(x, i, offset), xv)
		acc := even
		if u == 1 {
			acc = odd
		}
		for r := range 4 {
			VFMADD231PD(at(p[r], i, offset), xv, acc[r])
		}
	}, func(i reg.Register, _, _ int) {
		xv := XMM()
		VMOVSD(at(x, i, 0), xv)
		for r := range 4 {
			av := XMM()
			VMOVSD(at(p[r], i, 0), av)
			VFMADD231PD(av.AsY(), xv.AsY(), even[r])
		}
	})
	for r := range 4 {
		VADDPD(even[r], odd[r], even[r])
	}
	storeSums(even)
}

func addRows() {
	TEXT("axpy4", NOSPLIT, "func(n int, a *float64, lda int, s, y *float64)")
	Pragma("noescape")
	Doc("axpy4 adds sᵀA to y[:n] for the 4×n matrix A with stride lda.")
	n := Load(Param("n"), GP64())
	p := rowPointers(Load(Param("a"), GP64()), Load(Param("lda"), GP64()))
	sv := broadcast4(Load(Param("s"), GP64()))
	y := Load(Param("y"), GP64())
	loop(n, 2, func(i reg.Register, offset, _ int) {
		yv := YMM()
		VMOVUPD(at(y, i, offset), yv)
		for r := range 4 {
			VFMADD231PD(at(p[r], i, offset), sv[r], yv)
		}
		VMOVUPD(yv, at(y, i, offset))
	}, func(i reg.Register, _, _ int) {
		yv := XMM()
		VMOVSD(at(y, i, 0), yv)
		for r := range 4 {
			VFMADD231SD(at(p[r], i, 0), sv[r].AsX(), yv)
		}
		VMOVSD(yv, at(y, i, 0))
	})
	VZEROUPPER()
	RET()
}

func dot() {
	TEXT("dot", NOSPLIT, "func(n int, x, y *float64) float64")
	Pragma("noescape")
	Doc("dot returns xᵀy.")
	n := Load(Param("n"), GP64())
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	acc := zero(4)
	loop(n, 4, func(i reg.Register, offset, u int) {
		xv := YMM()
		VMOVUPD(at(x, i, offset), xv)
		VFMADD231PD(at(y, i, offset), xv, acc[u])
	}, func(i reg.Register, _, _ int) {
		xv, yv := XMM(), XMM()
		VMOVSD(at(x, i, 0), xv)
		VMOVSD(at(y, i, 0), yv)
		VFMADD231PD(yv.AsY(), xv.AsY(), acc[0])
	})
	VADDPD(acc[1], acc[0], acc[0])
	VADDPD(acc[3], acc[2], acc[2])
	VADDPD(acc[2], acc[0], acc[0])
	s := sum(acc[0])
	Store(s, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func axpy() {
	TEXT("axpy", NOSPLIT, "func(n int, s float64, x, y *float64)")
	Pragma("noescape")
	Doc("axpy adds s·x to y.")
	n := Load(Param("n"), GP64())
	s := Load(Param("s"), XMM())
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	sv := YMM()
	VBROADCASTSD(s.(reg.VecVirtual), sv)
	loop(n, 4, func(i reg.Register, offset, _ int) {
		yv := YMM()
		VMOVUPD(at(y, i, offset), yv)
		VFMADD231PD(at(x, i, offset), sv, yv)
		VMOVUPD(yv, at(y, i, offset))
	}, func(i reg.Register, _, _ int) {
		yv := XMM()
		VMOVSD(at(y, i, 0), yv)
		VFMADD231SD(at(x, i, 0), sv.AsX(), yv)
		VMOVSD(yv, at(y, i, 0))
	})
	VZEROUPPER()
	RET()
}

// tall emits a loop over the k rows of the matrices at a and b. It emits body for two rows at a
// time, and once more for an odd last row. The loop advances the pointers a and b. body receives
// the addresses of the row in both matrices, and u: 0 for the first row of a pair, 1 for the
// second.
func tall(k, a, lda, b, ldb reg.Register, body func(a, b reg.Register, u int)) {
	SHLQ(operand.Imm(3), lda)
	SHLQ(operand.Imm(3), ldb)
	nextA, nextB := GP64(), GP64()
	Label("pairs")
	CMPQ(k, operand.Imm(2))
	JL(operand.LabelRef("rest"))
	LEAQ(operand.Mem{Base: a, Index: lda, Scale: 1}, nextA)
	LEAQ(operand.Mem{Base: b, Index: ldb, Scale: 1}, nextB)
	body(a, b, 0)
	body(nextA, nextB, 1)
	LEAQ(operand.Mem{Base: nextA, Index: lda, Scale: 1}, a)
	LEAQ(operand.Mem{Base: nextB, Index: ldb, Scale: 1}, b)
	SUBQ(operand.Imm(2), k)
	JMP(operand.LabelRef("pairs"))
	Label("rest")
	TESTQ(k, k)
	JE(operand.LabelRef("done"))
	body(a, b, 0)
	Label("done")
}

func cross() {
	TEXT("cross4", NOSPLIT, "func(k int, a *float64, lda int, b *float64, ldb int, c *float64)")
	Pragma("noescape")
	Doc("cross4 adds AᵀB to the 4×4 matrix c for k×4 matrices with strides lda and ldb.")
	even, odd := zero(4), zero(4)
	tall(Load(Param("k"), GP64()), Load(Param("a"), GP64()), Load(Param("lda"), GP64()), Load(Param("b"), GP64()), Load(Param("ldb"), GP64()),
		func(a, b reg.Register, u int) {
			bv := YMM()
			VMOVUPD(operand.Mem{Base: b}, bv)
			for r, acc := range [][]reg.VecVirtual{even, odd}[u] {
				av := YMM()
				VBROADCASTSD(operand.Mem{Base: a, Disp: 8 * r}, av)
				VFMADD231PD(av, bv, acc)
			}
		})
	c := Load(Param("c"), GP64())
	for r := range 4 {
		VADDPD(even[r], odd[r], even[r])
		VADDPD(operand.Mem{Base: c, Disp: 8 * width * r}, even[r], even[r])
		VMOVUPD(even[r], operand.Mem{Base: c, Disp: 8 * width * r})
	}
	VZEROUPPER()
	RET()
}

func expand() {
	TEXT("expand4", NOSPLIT, "func(k int, a *float64, lda int, b, c *float64, ldc int)")
	Pragma("noescape")
	Doc("expand4 adds A·b to C for k×4 matrices with strides lda and ldc and the 4×4 matrix b.")
	b := Load(Param("b"), GP64())
	var bv [4]reg.VecVirtual
	for r := range bv {
		bv[r] = YMM()
		VMOVUPD(operand.Mem{Base: b, Disp: 8 * width * r}, bv[r])
	}
	tall(Load(Param("k"), GP64()), Load(Param("a"), GP64()), Load(Param("lda"), GP64()), Load(Param("c"), GP64()), Load(Param("ldc"), GP64()),
		func(a, c reg.Register, _ int) {
			cv := YMM()
			VMOVUPD(operand.Mem{Base: c}, cv)
			for r := range 4 {
				av := YMM()
				VBROADCASTSD(operand.Mem{Base: a, Disp: 8 * r}, av)
				VFMADD231PD(av, bv[r], cv)
			}
			VMOVUPD(cv, operand.Mem{Base: c})
		})
	VZEROUPPER()
	RET()
}
