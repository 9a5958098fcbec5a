import json
import urllib.request


# region core
def read_from_core(state, path):
    """Reads from the API of the customer's core, such as /policies/P-1. The token is valid for this customer only."""
    headers = {"Authorization": f"Bearer {state['token']}"}
    request = urllib.request.Request(state["coreApiUrl"] + path, headers=headers)
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)
# endregion core
