package chart

import "encoding/json"

// MarshalJSON writes the name as a string if there is no icon, and an object otherwise.
func (k LegendKey) MarshalJSON() ([]byte, error) {
	if k.Icon == "" {
		return json.Marshal(k.Name)
	}
	return json.Marshal(struct {
		Name string `json:"name"`
		Icon string `json:"icon"`
	}{k.Name, k.Icon})
}

// MarshalJSON writes the entry as a list.
func (k TileKey) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{k.X, k.Y, k.Width, k.Name})
}
