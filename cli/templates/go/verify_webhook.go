package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

var secretsClient = &http.Client{Timeout: 5 * time.Second}

// region secrets
// ReadWebhookSecrets reads the secrets that sign this customer's webhooks: the current one, then those that a
// rotation replaced.
func ReadWebhookSecrets(ctx context.Context, key string) ([]string, error) {
	stateAPI := strings.TrimSuffix(os.Getenv("PLATFORM_STATE_API"), "/")
	address := stateAPI + "/state/" + url.PathEscape(key) + "/webhook-secrets"
	request, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		return nil, err
	}
	response, err := secretsClient.Do(request)
	if err != nil {
		// Without the URL, because it contains the key.
		return nil, fmt.Errorf("the state API did not respond: %w", err.(*url.Error).Err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the state API returned %s", response.Status)
	}
	var answer struct{ Secrets []string }
	err = json.NewDecoder(response.Body).Decode(&answer)
	return answer.Secrets, err
}
// endregion secrets

// region signature
// IsSigned reports whether the webhook was signed with one of the secrets within the last five minutes. The body must
// be exactly as it was received.
func IsSigned(headers http.Header, body []byte, secrets []string) bool {
	timestamp := headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			continue
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.", headers.Get("webhook-id"), timestamp)
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(signature), expected) {
				return true
			}
		}
	}
	return false
}
// endregion signature
