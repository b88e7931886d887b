// Command gen writes the assembly of package lanes with avo. Only go generate runs it.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!noasm")
	add()
	dot()
	gather()
	Generate()
}

// entry returns the address of number i+offset in the array of float64 at base.
func entry(base, i reg.Register, offset int) operand.Mem {
	return operand.Mem{Base: base, Index: i, Scale: 8, Disp: 8 * offset}
}

// row returns the address of the row of four numbers that is offset rows after the row at base.
func row(base reg.Register, offset int) operand.Mem {
	return operand.Mem{Base: base, Disp: 32 * offset}
}

const unroll = 4

func add() {
	TEXT("add2", NOSPLIT, "func(n int, sum, u, v, y, z *float64)")
	Pragma("noescape")
	Doc("add2 adds u[r]·y + v[r]·z to the row sum[r] for r < n.")
	n := Load(Param("n"), GP64())
	sum := Load(Param("sum"), GP64())
	u := Load(Param("u"), GP64())
	v := Load(Param("v"), GP64())
	y, z := YMM(), YMM()
	VMOVUPD(operand.Mem{Base: Load(Param("y"), GP64())}, y)
	VMOVUPD(operand.Mem{Base: Load(Param("z"), GP64())}, z)
	walk(n, sum, func(i reg.Register, offset int) {
		s, f, g := YMM(), YMM(), YMM()
		VMOVUPD(row(sum, offset), s)
		VBROADCASTSD(entry(u, i, offset), f)
		VBROADCASTSD(entry(v, i, offset), g)
		VFMADD231PD(y, f, s)
		VFMADD231PD(z, g, s)
		VMOVUPD(s, row(sum, offset))
	})
	VZEROUPPER()
	RET()
}

func dot() {
	TEXT("dot2", NOSPLIT, "func(n int, y, z, u, v, x *float64)")
	Pragma("noescape")
	Doc("dot2 subtracts Σ u[r]·x[r] from the row y and Σ v[r]·x[r] from the row z, r < n.")
	n := Load(Param("n"), GP64())
	u := Load(Param("u"), GP64())
	v := Load(Param("v"), GP64())
	x := Load(Param("x"), GP64())
	var first, second [unroll]reg.VecVirtual
	for k := range unroll {
		first[k], second[k] = YMM(), YMM()
		VXORPD(first[k], first[k], first[k])
		VXORPD(second[k], second[k], second[k])
	}
	walk(n, x, func(i reg.Register, offset int) {
		s, f, g := YMM(), YMM(), YMM()
		VMOVUPD(row(x, offset), s)
		VBROADCASTSD(entry(u, i, offset), f)
		VBROADCASTSD(entry(v, i, offset), g)
		VFMADD231PD(s, f, first[offset])
		VFMADD231PD(s, g, second[offset])
	})
	for k, acc := range [][unroll]reg.VecVirtual{first, second} {
		VADDPD(acc[1], acc[0], acc[0])
		VADDPD(acc[3], acc[2], acc[2])
		VADDPD(acc[2], acc[0], acc[0])
		to := Load(Param([]string{"y", "z"}[k]), GP64())
		old := YMM()
		VMOVUPD(operand.Mem{Base: to}, old)
		VSUBPD(acc[0], old, old)
		VMOVUPD(old, operand.Mem{Base: to})
	}
	VZEROUPPER()
	RET()
}

// gather emits gather8. Consecutive entries are added to separate sums, so that their additions do
// not wait for each other.
func gather() {
	TEXT("gather8", NOSPLIT, "func(n int, index *int32, v, x *float64, stride int, sum *float64)")
	Pragma("noescape")
	Doc("gather8 sets the eight numbers at sum to Σ v[r]·x[index[r]], r < n, for rows of x",
		"that are stride numbers apart.")
	n := Load(Param("n"), GP64())
	index := Load(Param("index"), GP64())
	v := Load(Param("v"), GP64())
	x := Load(Param("x"), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(operand.Imm(3), stride)
	var acc [4]reg.VecVirtual
	for k := range acc {
		acc[k] = YMM()
		VXORPD(acc[k], acc[k], acc[k])
	}
	take := func(k int) {
		at, f := GP64(), YMM()
		MOVLQSX(operand.Mem{Base: index, Disp: 4 * k}, at)
		IMULQ(stride, at)
		VBROADCASTSD(operand.Mem{Base: v, Disp: 8 * k}, f)
		VFMADD231PD(operand.Mem{Base: x, Index: at, Scale: 1}, f, acc[2*k])
		VFMADD231PD(operand.Mem{Base: x, Index: at, Scale: 1, Disp: 32}, f, acc[2*k+1])
	}
	Label("two")
	CMPQ(n, operand.Imm(2))
	JL(operand.LabelRef("one"))
	take(0)
	take(1)
	ADDQ(operand.Imm(8), index)
	ADDQ(operand.Imm(16), v)
	SUBQ(operand.Imm(2), n)
	JMP(operand.LabelRef("two"))
	Label("one")
	TESTQ(n, n)
	JE(operand.LabelRef("end"))
	take(0)
	Label("end")
	sum := Load(Param("sum"), GP64())
	for k := range 2 {
		VADDPD(acc[k+2], acc[k], acc[k])
		VMOVUPD(acc[k], row(sum, k))
	}
	VZEROUPPER()
	RET()
}

// walk emits a loop over n entries, first several entries at a time and then one by one. body
// processes entry i+offset. The pointer `rows` points to the row of entry i and advances with i, so
// that the row of entry i+offset is row(rows, offset).
func walk(n, rows reg.Register, body func(i reg.Register, offset int)) {
	i := GP64()
	XORQ(i, i)
	Label("unrolled")
	CMPQ(n, operand.Imm(unroll))
	JL(operand.LabelRef("rest"))
	for k := range unroll {
		body(i, k)
	}
	ADDQ(operand.Imm(unroll), i)
	ADDQ(operand.U32(32*unroll), rows)
	SUBQ(operand.Imm(unroll), n)
	JMP(operand.LabelRef("unrolled"))
	Label("rest")
	TESTQ(n, n)
	JE(operand.LabelRef("done"))
	body(i, 0)
	INCQ(i)
	ADDQ(operand.Imm(32), rows)
	DECQ(n)
	JMP(operand.LabelRef("rest"))
	Label("done")
}
