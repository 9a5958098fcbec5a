package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

var secret = []byte("0123456789abcdef0123456789abcdef")

// Runs without the platform: the test serves the state API, and signs webhooks as the platform does.
var answers = map[string]any{
	"/state/psk_1": State{
		Settings:       map[string]string{"invalidVin": "clear", "note": "Ask for the registration."},
		Mappings:       []Mapping{{ProductName: "Auto", Fields: map[string]string{"vin": "$.vehicle.vin"}}},
		TenantHostName: "tenant.core.example",
	},
	"/state/psk_1/webhook-secrets": map[string]any{
		"secrets": []string{"whsec_" + base64.StdEncoding.EncodeToString(secret)},
	},
}

func startApp(t *testing.T) string {
	stateAPI := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, found := answers[r.URL.Path]
		if !found {
			w.WriteHeader(http.StatusNotFound)
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(stateAPI.Close)
	t.Setenv("PLATFORM_STATE_API", stateAPI.URL)
	app := httptest.NewServer(newHandler())
	t.Cleanup(app.Close)
	return app.URL
}

func post(t *testing.T, url, body string, headers map[string]string) (int, string) {
	t.Helper()
	request, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-PLATFORM-key", "psk_1")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, strings.TrimSpace(string(text))
}

func TestIsHealthy(t *testing.T) {
	response, err := http.Get(startApp(t) + "/health")
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response, err)
	}
}

func TestAutofill(t *testing.T) {
	app := startApp(t)
	for vin, want := range map[string]string{
		"wvw-zzz1k zaw123456": `{"data":{"vehicle":{"vin":"WVWZZZ1KZAW123456"}},"note":"Ask for the registration."}`,
		"123":                 `{"data":{"vehicle":{"vin":""}},"note":"Ask for the registration.","warning":"The VIN is not valid."}`,
	} {
		body := fmt.Sprintf(`{"productName":"Auto","data":{"vehicle":{"vin":%q}}}`, vin)
		if status, got := post(t, app+"/autofill", body, nil); status != http.StatusOK || got != want {
			t.Errorf("%s: got %d %s, want %s", vin, status, got, want)
		}
	}
}

func TestEventsAreAcceptedOnlyWithAValidSignature(t *testing.T) {
	app := startApp(t)
	event := `{"id":"evt-1","type":"policy.issued"}`
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "evt-1.%s.%s", timestamp, event)
	headers := map[string]string{
		"webhook-id":        "evt-1",
		"webhook-timestamp": timestamp,
		"webhook-signature": "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)),
	}
	for _, each := range []struct {
		event   string
		headers map[string]string
		want    int
	}{
		{event, headers, http.StatusOK},
		{strings.Replace(event, "issued", "cancelled", 1), headers, http.StatusUnauthorized},
		{event, nil, http.StatusUnauthorized},
	} {
		if status, _ := post(t, app+"/events", each.event, each.headers); status != each.want {
			t.Errorf("%s: got %d, want %d", each.event, status, each.want)
		}
	}
}
