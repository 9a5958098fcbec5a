package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// region core
// ReadFromCore reads from the API of the customer's core, such as /policies/P-1, into result. The token is valid for
// this customer only.
func (state State) ReadFromCore(ctx context.Context, path string, result any) error {
	request, err := http.NewRequestWithContext(ctx, "GET", state.CoreAPIURL+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+state.Token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the core returned %s", response.Status)
	}
	return json.NewDecoder(response.Body).Decode(result)
}
// endregion core
