import { findFields } from "./read-state.mjs";

/** Converts the VIN to its standard form, in the field where this customer's product stores it. */
export function autofill(call, state) {
  const { settings } = state;
  const path = findFields(state, call.productName).vin;
  const data = structuredClone(call.data ?? {});
  const vin = path && valueAt(data, path);
  if (typeof vin !== "string" || vin === "") return { data, note: settings.note };

  const standard = vin.toUpperCase().replace(/[^A-Z0-9]/g, "");
  // A VIN has 17 letters and digits, but never I, O or Q.
  const isValid = /^[A-HJ-NPR-Z0-9]{17}$/.test(standard);
  // Here, you can ask your data provider about the vehicle, with settings.providerKey.
  setValueAt(data, path, isValid || settings.invalidVin !== "clear" ? standard : "");
  return { data, note: settings.note, warning: isValid ? undefined : "The VIN is not valid." };
}

/** The members that a path such as `$.vehicles[0].vin` or `$['vehicle']['vin']` names, in order. */
const steps = (path) => path.match(/[^.$[\]'"]+/g) ?? [];

const valueAt = (data, path) => steps(path).reduce((value, step) => value?.[step], data);

function setValueAt(data, path, value) {
  const names = steps(path);
  const last = names.pop();
  names.reduce((parent, step) => parent[step], data)[last] = value;
}
