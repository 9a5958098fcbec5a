import json
import os
from urllib.parse import quote
from urllib.request import urlopen


def read_state(key):
    """The state of the customer that a request belongs to: settings, mappings, and access to its core.

    key: the request's x-PLATFORM-key header
    """
    state_api = os.environ["PLATFORM_STATE_API"].rstrip("/")
    with urlopen(f"{state_api}/state/{quote(key, safe='')}", timeout=5) as response:
        return json.load(response)
