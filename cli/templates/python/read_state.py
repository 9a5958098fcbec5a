import json
import os
import urllib.request
from urllib.parse import quote


# region state
def read_state(key):
    """Reads the state of the customer that a request is for: settings, mappings, and access to the customer's core.

    key: the value of the request's x-PLATFORM-key header
    """
    state_api = os.environ["PLATFORM_STATE_API"].rstrip("/")
    url = f"{state_api}/state/{quote(key, safe='')}"
    with urllib.request.urlopen(url, timeout=5) as response:
        return json.load(response)
# endregion state


# region mapping
def find_fields(state, product_name):
    """Where a product stores each mapping field. Empty for a product that isn't mapped."""
    for mapping in state["mappings"]:
        if mapping["productName"] == product_name:
            return mapping["fields"]
    return {}
# endregion mapping
