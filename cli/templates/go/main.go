// Handles the platform's requests. Nothing is kept between requests: each has the key to its own customer's state.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	server := &http.Server{Addr: ":" + cmp.Or(os.Getenv("PLATFORM_PORT"), "8080"), Handler: newHandler()}
	stopped, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	go func() {
		if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	}()
	<-stopped.Done()

	// Finish the calls in progress before the app stops.
	deadline, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(deadline); err != nil {
		log.Fatal(err)
	}
}

func newHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
	})
	mux.Handle("POST /autofill", answer(answerAutofill))
	mux.Handle("POST /events", answer(answerEvent))
	return mux
}

func answerAutofill(r *http.Request, body []byte) (any, error) {
	var call Call
	if err := json.Unmarshal(body, &call); err != nil {
		return nil, refusal{http.StatusBadRequest, "The body is not valid JSON."}
	}
	state, err := ReadState(r.Context(), r.Header.Get("x-PLATFORM-key"))
	if err != nil {
		return nil, err
	}
	return Autofill(call, state), nil
}

func answerEvent(r *http.Request, body []byte) (any, error) {
	key := r.Header.Get("x-PLATFORM-key")
	secrets, err := ReadWebhookSecrets(r.Context(), key)
	if err != nil {
		return nil, err
	}
	if !IsSigned(r.Header, body, secrets) {
		return nil, refusal{http.StatusUnauthorized, "The signature is not valid."}
	}
	var event struct{ ID, Type string }
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, refusal{http.StatusBadRequest, "The body is not valid JSON."}
	}
	state, err := ReadState(r.Context(), key)
	if err != nil {
		return nil, err
	}
	log.Printf("%s (%s) of %s", event.Type, event.ID, state.TenantHostName)
	return map[string]string{"received": event.ID}, nil
}

type refusal struct {
	status  int
	message string
}

func (r refusal) Error() string { return r.message }

// answer writes what a route returns as JSON.
func answer(route func(*http.Request, []byte) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusOK
		body, err := io.ReadAll(r.Body)
		var result any
		if err == nil {
			result, err = route(r, body)
		}
		if err != nil {
			status = http.StatusBadGateway
			var refused refusal
			if errors.As(err, &refused) {
				status = refused.status
			} else {
				log.Print(err)
			}
			result = map[string]string{"error": err.Error()}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(result)
	})
}
