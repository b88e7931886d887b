package main

import (
	"bytes"
	"os"
	"testing"
)

// The embedded module is up to date with this generator.
func TestModule(t *testing.T) {
	have, err := os.ReadFile("../../kernel_simd128.wasm")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, module()) {
		t.Error("kernel_simd128.wasm is of another version: run go generate -tags ssdrnb_simd128 in package kernel, or go run ./gen/simd128")
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[int][]byte{0: {0}, 63: {63}, 64: {0xc0, 0}, -1: {0x7f}, -64: {0x40}, -65: {0xbf, 0x7f}, 624485: {0xe5, 0x8e, 0x26}} {
		if got := signed(v); !bytes.Equal(got, want) {
			t.Errorf("%d is written as %x, want %x", v, got, want)
		}
	}
	if got := unsigned(624485); !bytes.Equal(got, []byte{0xe5, 0x8e, 0x26}) {
		t.Errorf("%x", got)
	}
}
