"""Runs without the platform: the test serves the state API, and signs webhooks as the platform does."""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from server import Handler, Server

SECRET = os.urandom(32)
STATE = {
    "settings": {"invalidVin": "clear", "note": "Ask for the registration."},
    "mappings": [{"productName": "Auto", "fields": {"vin": "$.vehicle.vin"}}],
    "coreApiUrl": "https://core.example",
    "tenantHostName": "tenant.core.example",
    "token": "token",
}
ANSWERS = {
    "/state/psk_1": STATE,
    "/state/psk_1/webhook-secrets": {"secrets": ["whsec_" + base64.b64encode(SECRET).decode()]},
}


class StateApi(BaseHTTPRequestHandler):
    def do_GET(self):
        answer = ANSWERS.get(self.path)
        self.send_response(404 if answer is None else 200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_request(self, *_):
        pass


class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.servers = [ThreadingHTTPServer(("127.0.0.1", 0), StateApi), Server(("127.0.0.1", 0), Handler)]
        for server in cls.servers:
            threading.Thread(target=server.serve_forever).start()
        state_api, app = (f"http://127.0.0.1:{server.server_address[1]}" for server in cls.servers)
        os.environ["PLATFORM_STATE_API"] = state_api
        cls.origin = app

    @classmethod
    def tearDownClass(cls):
        for server in cls.servers:
            server.shutdown()
            server.server_close()

    def request(self, path, body=None, headers=None):
        """The status and the parsed body of the response."""
        request = Request(self.origin + path, body, {"x-PLATFORM-key": "psk_1", **(headers or {})})
        try:
            with urlopen(request) as response:
                return response.status, json.load(response)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)

    def autofill(self, vin):
        call = {"productName": "Auto", "data": {"vehicle": {"vin": vin}}}
        return self.request("/autofill", json.dumps(call).encode())

    def test_is_healthy(self):
        self.assertEqual(self.request("/health")[0], 200)

    def test_autofill_puts_the_vin_into_its_standard_form(self):
        expected = {"data": {"vehicle": {"vin": "WVWZZZ1KZAW123456"}}, "note": "Ask for the registration."}
        self.assertEqual(self.autofill("wvw-zzz1k zaw123456"), (200, expected))

    def test_autofill_clears_an_invalid_vin_as_this_customer_chose(self):
        self.assertEqual(self.autofill("123")[1]["data"], {"vehicle": {"vin": ""}})

    def test_events_are_accepted_only_with_a_valid_signature(self):
        event = b'{"id": "evt-1", "type": "policy.issued"}'
        timestamp = str(int(time.time()))
        content = f"evt-1.{timestamp}.".encode() + event
        signature = base64.b64encode(hmac.new(SECRET, content, hashlib.sha256).digest()).decode()
        headers = {
            "webhook-id": "evt-1",
            "webhook-timestamp": timestamp,
            "webhook-signature": f"v1,{signature}",
        }
        self.assertEqual(self.request("/events", event, headers)[0], 200)
        self.assertEqual(self.request("/events", event.replace(b"issued", b"cancelled"), headers)[0], 401)
        self.assertEqual(self.request("/events", event)[0], 401)


if __name__ == "__main__":
    unittest.main()
