import base64
import hashlib
import hmac
import json
import os
import time
from urllib.parse import quote
from urllib.request import urlopen

TOLERANCE_SECONDS = 300


# region secrets
def read_webhook_secrets(key):
    """Reads the secrets that sign this customer's webhooks: the current one, then those that a rotation replaced."""
    state_api = os.environ["PLATFORM_STATE_API"].rstrip("/")
    with urlopen(f"{state_api}/state/{quote(key, safe='')}/webhook-secrets", timeout=5) as response:
        return json.load(response)["secrets"]
# endregion secrets


# region signature
def is_signed(headers, body, secrets):
    """Returns whether the webhook was signed with one of the secrets within the last five minutes.

    headers: of the request; names in any case
    body: bytes as they were received, before they are parsed
    """
    received = {name.lower(): value for name, value in headers.items()}
    timestamp = received.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    content = f"{received.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = [sign(secret, content) for secret in secrets]
    return any(
        hmac.compare_digest(signature.encode(), each)
        for signature in received.get("webhook-signature", "").split(" ")
        for each in expected
    )


def sign(secret, content):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
# endregion signature
