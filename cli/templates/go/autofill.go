package main

import (
	"regexp"
	"strconv"
	"strings"
)

// Call is an autofill request from the core.
type Call struct {
	ProductName string         `json:"productName"`
	Data        map[string]any `json:"data"`
}

// Result is what the core receives.
type Result struct {
	Data    map[string]any `json:"data"`
	Note    string         `json:"note,omitempty"`
	Warning string         `json:"warning,omitempty"`
}

var (
	separators = regexp.MustCompile(`[^A-Z0-9]`)
	// A VIN has 17 letters and digits, but never I, O or Q.
	validVin = regexp.MustCompile(`^[A-HJ-NPR-Z0-9]{17}$`)
	step     = regexp.MustCompile(`[^.$\[\]'"]+`)
)

// Autofill converts the VIN to its standard form, in the field where this customer's product stores it.
func Autofill(call Call, state State) Result {
	result := Result{Data: call.Data, Note: state.Settings["note"]}
	if result.Data == nil {
		result.Data = map[string]any{}
	}
	steps := step.FindAllString(state.Fields(call.ProductName)["vin"], -1)
	vin, isText := valueAt(result.Data, steps).(string)
	if !isText || vin == "" {
		return result
	}

	standard := separators.ReplaceAllString(strings.ToUpper(vin), "")
	// Here, you can ask your data provider about the vehicle, with state.Settings["providerKey"].
	if !validVin.MatchString(standard) {
		result.Warning = "The VIN is not valid."
		if state.Settings["invalidVin"] == "clear" {
			standard = ""
		}
	}
	setValueAt(result.Data, steps, standard)
	return result
}

// valueAt follows a path such as $.vehicles[0].vin or $['vehicle']['vin'], split into the members that it names.
func valueAt(value any, steps []string) any {
	for _, name := range steps {
		switch parent := value.(type) {
		case map[string]any:
			value = parent[name]
		case []any:
			index, err := strconv.Atoi(name)
			if err != nil || index < 0 || index >= len(parent) {
				return nil
			}
			value = parent[index]
		default:
			return nil
		}
	}
	return value
}

func setValueAt(data any, steps []string, value string) {
	last := steps[len(steps)-1]
	switch parent := valueAt(data, steps[:len(steps)-1]).(type) {
	case map[string]any:
		parent[last] = value
	case []any:
		index, _ := strconv.Atoi(last)
		parent[index] = value
	}
}
