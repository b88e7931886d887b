// Command gen writes the assembly of package moves with avo. Only go generate runs it.
package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Constants of package moves; the values must be the same.
const (
	lanes              = 8
	width              = 4 * lanes // size in bytes of a register with one number per lane
	longest            = 4
	tableBits          = 6
	tableFirst         = (127 - 40) << tableBits
	tableShift         = 23 - tableBits
	shortest, farthest = 1.0 / (1 << 40), 1<<40 - 1<<16
	step               = 0x9e3779b9
	scramble1          = 0x7feb352d
	scramble2          = 0x846ca68b
)

func main() {
	ConstraintExpr("amd64,!noasm")
	m := &mover{constants: map[uint32]operand.Mem{}}
	m.write()
	Generate()
}

// mover writes the assembly loop.
type mover struct {
	constants map[uint32]operand.Mem
	rate      operand.Mem
}

// words returns the address of a word repeated in all lanes.
func (m *mover) words(w uint32) operand.Mem {
	if at, ok := m.constants[w]; ok {
		return at
	}
	at := GLOBL(fmt.Sprintf("all%08x", w), attr.RODATA|attr.NOPTR)
	for k := range lanes {
		DATA(4*k, operand.U32(w))
	}
	m.constants[w] = at
	return at
}

func (m *mover) number(v float32) operand.Mem { return m.words(math.Float32bits(v)) }

func (m *mover) write() {
	TEXT("move8", NOSPLIT, "func(count int, heads, tails *int32, at, rest *float32, n int, held *bool, random *uint32, pull, push *float32, rate float32, negatives int)")
	Pragma("noescape")
	Doc("move8 applies the attraction and the repulsions of count edges, see Move.")
	count := Load(Param("count"), GP64())
	heads := Load(Param("heads"), GP64())
	tails := Load(Param("tails"), GP64())
	at := Load(Param("at"), GP64())
	rest := Load(Param("rest"), GP64())
	held := Load(Param("held"), GP64())
	pull := Load(Param("pull"), GP64())
	push := Load(Param("push"), GP64())
	negatives := Load(Param("negatives"), GP64())
	size := YMM()
	size32 := Load(Param("n"), GP64())
	sizeX := XMM()
	VMOVQ(size32, sizeX)
	VPBROADCASTQ(sizeX, size)
	state := YMM()
	VMOVDQU(operand.Mem{Base: Load(Param("random"), GP64())}, state)
	// Local memory for eight edges: the initial positions of the heads, the attractions, and the
	// moves as pairs of coordinates, moves[0] of the heads and moves[1] of the tails. The first
	// register of each holds the pairs of lanes 0, 1, 4, 5, and the second the others.
	local := func(registers int) operand.Mem { return AllocLocal(registers * width) }
	startX, startY, pullX, pullY := local(1), local(1), local(1), local(1)
	m.rate = local(1)
	rate, all := Load(Param("rate"), XMM()), YMM()
	VBROADCASTSS(rate, all)
	VMOVUPS(all, m.rate)
	moves := [2]operand.Mem{local(2), local(2)}

	Label("eight")
	self, index := YMM(), YMM()
	VMOVDQU(operand.Mem{Base: heads}, self)
	x, y := m.gather(at, self)
	VMOVUPS(x, startX)
	VMOVUPS(y, startY)
	VMOVDQU(operand.Mem{Base: tails}, index)
	u, v := m.gather(at, index)
	m.move(u, v, x, y, pull, nil)
	VMOVUPS(u, pullX)
	VMOVUPS(v, pullY)
	left := GP64()
	MOVQ(negatives, left)
	Label("push")
	VPADDD(m.words(step), state, state)
	index = m.drawn(state, size)
	u, v = m.gather(rest, index)
	VPCMPEQD(self, index, index)
	m.move(u, v, x, y, push, index)
	DECQ(left)
	JNZ(operand.LabelRef("push"))
	VSUBPS(startX, x, x)
	VSUBPS(startY, y, y)
	pairs := func(x, y reg.Register, to operand.Mem) {
		a := YMM()
		VUNPCKLPS(y, x, a)
		VMOVUPS(a, to)
		VUNPCKHPS(y, x, a)
		VMOVUPS(a, to.Offset(width))
	}
	pairs(x, y, moves[0])
	VMOVUPS(pullX, x)
	VMOVUPS(pullY, y)
	pairs(x, y, moves[1])
	for l := range lanes {
		CMPQ(count, operand.Imm(uint64(l)))
		JLE(operand.LabelRef("end"))
		offset := l/2%2*width + 8*(l%2+l/4*2)
		for k, ends := range []reg.Register{heads, tails} {
			i, still, a, b := GP64(), fmt.Sprintf("still%d_%d", k, l), XMM(), XMM()
			MOVLQSX(operand.Mem{Base: ends, Disp: 4 * l}, i)
			CMPB(operand.Mem{Base: held, Index: i, Scale: 1}, operand.Imm(0))
			JNE(operand.LabelRef(still))
			place := operand.Mem{Base: at, Index: i, Scale: 8}
			VMOVSD(place, a)
			VMOVSD(moves[k].Offset(offset), b)
			if k == 0 {
				VADDPS(b, a, a)
			} else {
				VSUBPS(b, a, a)
			}
			VMOVSD(a, place)
			Label(still)
		}
	}
	ADDQ(operand.Imm(width), heads)
	ADDQ(operand.Imm(width), tails)
	SUBQ(operand.Imm(lanes), count)
	JG(operand.LabelRef("eight"))
	Label("end")
	VMOVDQU(state, operand.Mem{Base: Load(Param("random"), GP64())})
	VZEROUPPER()
	RET()
}

// move computes the moves of the samples at x and y due to other samples at u and v, writes them to
// u and v, and adds them to x and y. A move is the difference of the positions times the table's
// value at their squared distance, clamped, times the rate. It is 0 in lanes at distance 0 and,
// unless self is nil, in lanes where self is set.
func (m *mover) move(u, v, x, y, table, self reg.Register) {
	VSUBPS(u, x, u)
	VSUBPS(v, y, v)
	q, index, apart := YMM(), YMM(), YMM()
	VMULPS(u, u, q)
	VMULPS(v, v, apart)
	VADDPS(apart, q, q)
	VXORPS(apart, apart, apart)
	VCMPPS(operand.Imm(1), q, apart, apart) // 0 < q
	if self != nil {
		VPANDN(apart, self, apart)
	}
	VMAXPS(m.number(shortest), q, q)
	VMINPS(m.number(farthest), q, q)
	VPSRLD(operand.Imm(tableShift), q, index)
	VPSUBD(m.words(tableFirst), index, index)
	value, slope := m.gather(table, index)
	VMULPS(slope, q, q)
	VADDPS(value, q, q)
	for _, c := range []struct{ move, position reg.Register }{{u, x}, {v, y}} {
		VMULPS(q, c.move, c.move)
		VMAXPS(m.number(-longest), c.move, c.move)
		VMINPS(m.number(longest), c.move, c.move)
		VMULPS(m.rate, c.move, c.move)
		VANDPS(apart, c.move, c.move)
		VADDPS(c.move, c.position, c.position)
	}
}

// gather returns the pairs at the given indices, first numbers in x and second numbers in y: the
// coordinates of points, or the intercepts and slopes of a table.
func (m *mover) gather(points, index reg.Register) (x, y reg.VecVirtual) {
	// Indices 0, 1, 4, 5 go to the low half and 2, 3, 6, 7 to the high half. The
	// shuffles below work within each half, and restore the order of the lanes.
	dealt, upper := YMM(), XMM()
	VPERMQ(operand.Imm(0b11011000), index, dealt)
	VEXTRACTI128(operand.Imm(1), dealt, upper)
	fetch := func(index reg.Register) reg.VecVirtual {
		mask, to := YMM(), YMM()
		VPCMPEQD(mask, mask, mask)
		VXORPS(to, to, to) // breaks the dependency on the old value
		VGATHERDPD(mask, operand.Mem{Base: points, Index: index, Scale: 8}, to)
		return to
	}
	low, high := fetch(dealt.AsX()), fetch(upper)
	x, y = YMM(), YMM()
	VSHUFPS(operand.Imm(0x88), high, low, x)
	VSHUFPS(operand.Imm(0xdd), high, low, y)
	return x, y
}

// drawn returns a random number below `size` in each lane, given the states. The register `size`
// repeats this limit as a 64-bit integer.
func (m *mover) drawn(state, size reg.Register) reg.VecVirtual {
	s, t := YMM(), YMM()
	VPSRLD(operand.Imm(16), state, s)
	VPXOR(state, s, s)
	VPMULLD(m.words(scramble1), s, s)
	VPSRLD(operand.Imm(15), s, t)
	VPXOR(t, s, s)
	VPMULLD(m.words(scramble2), s, s)
	VPSRLD(operand.Imm(16), s, t)
	VPXOR(t, s, s)
	VPSRLQ(operand.Imm(32), s, t)
	VPMULUDQ(size, s, s)
	VPMULUDQ(size, t, t)
	VPSRLQ(operand.Imm(32), s, s)
	VPBLENDD(operand.Imm(0xaa), t, s, s)
	return s
}
