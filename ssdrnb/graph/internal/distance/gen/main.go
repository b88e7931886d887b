// Command gen writes the assembly of package distance with avo. It is run by
// go generate and is no part of any other program.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes is the number of float32 of a YMM register, rows the number of rows that a
// group holds.
const (
	lanes = 8
	rows  = 4
)

func main() {
	ConstraintExpr("amd64,!noasm")
	gather("squares", "out[a] to |q − x_i|² for i = index[a]", func(q, row operand.Op, acc reg.VecVirtual) {
		diff := YMM()
		VSUBPS(row, q, diff)
		VFMADD231PS(diff, diff, acc)
	})
	gather("dots", "out[a] to qᵀx_i for i = index[a]", func(q, row operand.Op, acc reg.VecVirtual) {
		VFMADD231PS(row, q, acc)
	})
	Generate()
}

// gather writes a function that compares a query with rows of a matrix, four at a
// time and sixteen lanes of each: two sums per row hide the latency of the addition.
// While it works on a group it fetches the rows of the next into the cache.
func gather(name, doc string, step func(q, row operand.Op, acc reg.VecVirtual)) {
	TEXT(name, NOSPLIT, "func(n int, q, x *float32, stride int, index *int32, groups int, out *float32)")
	Pragma("noescape")
	Doc(name+" sets "+doc+", a < 4·groups.",
		"Rows of x are stride numbers apart; n is a multiple of 8.")
	n := Load(Param("n"), GP64())
	q := Load(Param("q"), GP64())
	index := Load(Param("index"), GP64())
	groups := Load(Param("groups"), GP64())
	out := Load(Param("out"), GP64())
	SHLQ(operand.Imm(2), n)
	ADDQ(n, q)
	var next, row [rows]reg.GPVirtual
	for r := range rows {
		next[r], row[r] = GP64(), GP64()
	}
	// follow sets next to the ends of the four rows at index.
	follow := func() {
		x := Load(Param("x"), GP64())
		stride := Load(Param("stride"), GP64())
		SHLQ(operand.Imm(2), stride)
		ADDQ(n, x)
		for r := range rows {
			MOVLQSX(operand.Mem{Base: index, Disp: 4 * r}, next[r])
			IMULQ(stride, next[r])
			ADDQ(x, next[r])
		}
	}
	follow()
	Label("group")
	for r := range rows {
		MOVQ(next[r], row[r])
	}
	DECQ(groups)
	JE(operand.LabelRef("last"))
	ADDQ(operand.Imm(4*rows), index)
	follow()
	Label("last")
	var acc [rows][2]reg.VecVirtual
	for r := range rows {
		for u := range 2 {
			acc[r][u] = YMM()
			VXORPS(acc[r][u], acc[r][u], acc[r][u])
		}
	}
	i := GP64()
	MOVQ(n, i)
	NEGQ(i)
	chunk := func(u int) {
		at := func(base reg.Register) operand.Mem {
			return operand.Mem{Base: base, Index: i, Scale: 1, Disp: 4 * lanes * u}
		}
		qv := YMM()
		VMOVUPS(at(q), qv)
		for r := range rows {
			step(qv, at(row[r]), acc[r][u])
		}
	}
	Label("unrolled")
	CMPQ(i, operand.I8(-8*lanes))
	JG(operand.LabelRef("rest"))
	for r := range rows {
		PREFETCHT0(operand.Mem{Base: next[r], Index: i, Scale: 1})
	}
	chunk(0)
	chunk(1)
	ADDQ(operand.Imm(8*lanes), i)
	JMP(operand.LabelRef("unrolled"))
	Label("rest")
	TESTQ(i, i)
	JE(operand.LabelRef("sum"))
	for r := range rows {
		PREFETCHT0(operand.Mem{Base: next[r], Index: i, Scale: 1})
	}
	chunk(0)
	Label("sum")
	for r := range rows {
		VADDPS(acc[r][1], acc[r][0], acc[r][0])
	}
	VHADDPS(acc[1][0], acc[0][0], acc[0][0])
	VHADDPS(acc[3][0], acc[2][0], acc[2][0])
	VHADDPS(acc[2][0], acc[0][0], acc[0][0])
	high := XMM()
	VEXTRACTF128(operand.Imm(1), acc[0][0], high)
	VADDPS(high, acc[0][0].AsX(), high)
	VMOVUPS(high, operand.Mem{Base: out})
	ADDQ(operand.Imm(4*rows), out)
	TESTQ(groups, groups)
	JNE(operand.LabelRef("group"))
	VZEROUPPER()
	RET()
}
