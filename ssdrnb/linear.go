package ssdrnb
