package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// region state
// State is what the customer that a request is for has configured, and access to the customer's core.
type State struct {
	// Settings that the customer skipped are absent.
	Settings       map[string]string `json:"settings"`
	Mappings       []Mapping         `json:"mappings"`
	CoreAPIURL     string            `json:"coreApiUrl"`
	TenantHostName string            `json:"tenantHostName"`
	Token          string            `json:"token"`
}

// Mapping says where one of the customer's products stores each mapping field.
type Mapping struct {
	ProductName string            `json:"productName"`
	Fields      map[string]string `json:"fields"`
}

var client = &http.Client{Timeout: 5 * time.Second}

// ReadState reads the state with the key in the request's x-PLATFORM-key header.
func ReadState(ctx context.Context, key string) (State, error) {
	var state State
	stateAPI := strings.TrimSuffix(os.Getenv("PLATFORM_STATE_API"), "/")
	request, err := http.NewRequestWithContext(ctx, "GET", stateAPI+"/state/"+url.PathEscape(key), nil)
	if err != nil {
		return state, err
	}
	response, err := client.Do(request)
	if err != nil {
		// Without the URL, because it contains the key.
		return state, fmt.Errorf("the state API did not respond: %w", err.(*url.Error).Err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return state, fmt.Errorf("the state API returned %s", response.Status)
	}
	return state, json.NewDecoder(response.Body).Decode(&state)
}
// endregion state

// region mapping
// Fields returns the mapping fields of a product. It is empty for a product that isn't mapped.
func (state State) Fields(productName string) map[string]string {
	for _, mapping := range state.Mappings {
		if mapping.ProductName == productName {
			return mapping.Fields
		}
	}
	return nil
}
// endregion mapping
