// Command gen writes the assembly of package distance with avo. Only go generate runs it.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes is the number of float32 in a YMM register, and rows the number of rows in a group.
const (
	lanes = 8
	rows  = 4
)

func main() {
	ConstraintExpr("amd64,!noasm")
	gather("squares", "out[a] to |q − x_i|² for i = index[a]", nil, addUp, func(q, row operand.Op, acc, _ reg.VecVirtual) {
		diff := YMM()
		VSUBPS(row, q, diff)
		VFMADD231PS(diff, diff, acc)
	})
	gather("dots", "out[a] to qᵀx_i for i = index[a]", nil, addUp, func(q, row operand.Op, acc, _ reg.VecVirtual) {
		VFMADD231PS(row, q, acc)
	})
	gather("sums", "out[a] to Σ|q − x_i| for i = index[a]", magnitude, addUp, func(q, row operand.Op, acc, mask reg.VecVirtual) {
		diff := YMM()
		VSUBPS(row, q, diff)
		VANDPS(mask, diff, diff)
		VADDPS(diff, acc, acc)
	})
	gather("mosts", "out[a] to max|q − x_i| for i = index[a]", magnitude, largest, func(q, row operand.Op, acc, mask reg.VecVirtual) {
		diff := YMM()
		VSUBPS(row, q, diff)
		VANDPS(mask, diff, diff)
		VMAXPS(diff, acc, acc)
	})
	gather("differs", "out[a] to the number of places with q ≠ x_i for i = index[a]", ones, addUp, func(q, row operand.Op, acc, mask reg.VecVirtual) {
		const unequal = 4
		differ := YMM()
		VCMPPS(operand.Imm(unequal), row, q, differ)
		VANDPS(mask, differ, differ)
		VADDPS(differ, acc, acc)
	})
	Generate()
}

// gather writes a function that compares a query with rows of a matrix: four rows at a time, and
// sixteen numbers of each row per iteration. For each row, the function keeps two sums and adds to
// them alternately, which hides the latency of the addition. While it works on a group of rows, it
// prefetches the next group. prepare, which may be nil, fills the register that is passed to every
// step as mask. reduce turns the sums into one number per row.
func gather(name, doc string, prepare func(reg.VecVirtual), reduce func(acc [rows][2]reg.VecVirtual) reg.Register, step func(q, row operand.Op, acc, mask reg.VecVirtual)) {
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
	// follow writes the end addresses of four rows to `next`. index points to the numbers of these
	// rows.
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
	var mask reg.VecVirtual
	if prepare != nil {
		mask = YMM()
		prepare(mask)
	}
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
			step(qv, at(row[r]), acc[r][u], mask)
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
	VMOVUPS(reduce(acc), operand.Mem{Base: out})
	ADDQ(operand.Imm(4*rows), out)
	TESTQ(groups, groups)
	JNE(operand.LabelRef("group"))
	VZEROUPPER()
	RET()
}

// addUp adds all lanes of each row.
func addUp(acc [rows][2]reg.VecVirtual) reg.Register {
	for r := range rows {
		VADDPS(acc[r][1], acc[r][0], acc[r][0])
	}
	VHADDPS(acc[1][0], acc[0][0], acc[0][0])
	VHADDPS(acc[3][0], acc[2][0], acc[2][0])
	VHADDPS(acc[2][0], acc[0][0], acc[0][0])
	high := XMM()
	VEXTRACTF128(operand.Imm(1), acc[0][0], high)
	VADDPS(high, acc[0][0].AsX(), high)
	return high
}

// largest takes the largest lane of each row. It interleaves the rows two by two, so that lanes of
// the same row are compared.
func largest(acc [rows][2]reg.VecVirtual) reg.Register {
	for r := range rows {
		VMAXPS(acc[r][1], acc[r][0], acc[r][0])
	}
	// fold sets a to the maxima of pairs of lanes, in the order a, b, a, b, ….
	fold := func(a, b reg.VecVirtual) {
		low, high := YMM(), YMM()
		VUNPCKLPS(b, a, low)
		VUNPCKHPS(b, a, high)
		VMAXPS(high, low, a)
	}
	fold(acc[0][0], acc[2][0])
	fold(acc[1][0], acc[3][0])
	fold(acc[0][0], acc[1][0])
	high := XMM()
	VEXTRACTF128(operand.Imm(1), acc[0][0], high)
	VMAXPS(high, acc[0][0].AsX(), high)
	return high
}

// magnitude sets all bits of mask except the sign bit of each lane.
func magnitude(mask reg.VecVirtual) {
	VPCMPEQD(mask, mask, mask)
	VPSRLD(operand.Imm(1), mask, mask)
}

// ones sets each lane of mask to 1.
func ones(mask reg.VecVirtual) {
	VPCMPEQD(mask, mask, mask)
	VPSRLD(operand.Imm(25), mask, mask)
	VPSLLD(operand.Imm(23), mask, mask)
}
