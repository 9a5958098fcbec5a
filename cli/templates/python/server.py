"""Handles the platform's requests. Nothing is kept between requests: each has the key to its own customer's state."""

import json
import os
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from autofill import autofill
from read_state import read_state
from verify_webhook import is_signed, read_webhook_secrets


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def answer_health(key, headers, body):
    return {"ok": True}


def answer_autofill(key, headers, body):
    return autofill(parse(body), read_state(key))


def answer_event(key, headers, body):
    if not is_signed(headers, body, read_webhook_secrets(key)):
        raise Refusal(401, "The signature is not valid.")
    event = parse(body)
    state = read_state(key)
    print(f"{event['type']} ({event['id']}) of {state['tenantHostName']}", flush=True)
    return {"received": event["id"]}


ROUTES = {
    "GET /health": answer_health,
    "POST /autofill": answer_autofill,
    "POST /events": answer_event,
}


def parse(body):
    try:
        return json.loads(body)
    except ValueError:
        raise Refusal(400, "The body is not valid JSON.") from None


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        route = ROUTES.get(f"{self.command} {urlsplit(self.path).path}")
        if route is None:
            return self.send(404, {"error": "Not found."})
        try:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send(200, route(self.headers.get("x-PLATFORM-key", ""), self.headers, body))
        except Refusal as refusal:
            self.send(refusal.status, {"error": str(refusal)})
        except Exception as error:
            self.log_error("%r", error)
            self.send(502, {"error": str(error)})

    do_GET = do_POST = answer

    def send(self, status, result):
        body = json.dumps(result).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, *_):
        """The platform lists every call, so requests are not logged here."""


class Server(ThreadingHTTPServer):
    # Finish the calls in progress before the app stops.
    daemon_threads = False


def main():
    server = Server(("", int(os.environ.get("PLATFORM_PORT", "8080"))), Handler)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    server.serve_forever()
    server.server_close()


if __name__ == "__main__":
    main()
