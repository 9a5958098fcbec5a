import copy
import re

from read_state import find_fields


def autofill(call, state):
    """Converts the VIN to its standard form, in the field where this customer's product stores it."""
    settings = state["settings"]
    result = {"data": copy.deepcopy(call.get("data", {}))}
    if "note" in settings:
        result["note"] = settings["note"]

    path = find_fields(state, call.get("productName")).get("vin", "")
    vin = value_at(result["data"], steps(path))
    if not isinstance(vin, str) or vin == "":
        return result

    standard = re.sub(r"[^A-Z0-9]", "", vin.upper())
    # A VIN has 17 letters and digits, but never I, O or Q.
    is_valid = re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", standard) is not None
    # Here, you can ask your data provider about the vehicle, with settings["providerKey"].
    keep = is_valid or settings.get("invalidVin") != "clear"
    set_value_at(result["data"], steps(path), standard if keep else "")
    if not is_valid:
        result["warning"] = "The VIN is not valid."
    return result


def steps(path):
    """The members that a path such as $.vehicles[0].vin or $['vehicle']['vin'] names, in order."""
    return re.findall(r"[^.$\[\]'\"]+", path)


def value_at(data, names):
    for name in names:
        if isinstance(data, list) and name.isdigit() and int(name) < len(data):
            data = data[int(name)]
        elif isinstance(data, dict):
            data = data.get(name)
        else:
            return None
    return data


def set_value_at(data, names, value):
    parent = value_at(data, names[:-1])
    parent[int(names[-1]) if isinstance(parent, list) else names[-1]] = value
