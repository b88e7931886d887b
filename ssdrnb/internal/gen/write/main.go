// Command write writes the files that package gen generates; go generate ./ssdrnb runs it.
package main

import (
	"context"
	"log"
	"os"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gen"
)

func main() {
	files, err := gen.Generate(context.Background(), ".", nil)
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if old, err := os.ReadFile(name); err == nil && string(old) == text {
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
