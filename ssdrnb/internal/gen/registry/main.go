// Command registry prints the methods of package ssdrnb as JSON, for package gen.
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

func main() {
	if err := json.NewEncoder(os.Stdout).Encode(ssdrnb.Methods()); err != nil {
		log.Fatal(err)
	}
}
