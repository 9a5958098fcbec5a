// region state
/**
 * Reads the state of the customer that a request is for: settings, mappings, and access to the customer's core.
 * @param key the value of the request's x-PLATFORM-key header
 */
export async function readState(key) {
  const stateApi = process.env.PLATFORM_STATE_API.replace(/\/$/, "");
  const response = await fetch(`${stateApi}/state/${encodeURIComponent(key)}`, {
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`The state API returned ${response.status}.`);
  return response.json();
}
// endregion state

// region mapping
/** Where a product stores each mapping field. Empty for a product that isn't mapped. */
export function findFields({ mappings }, productName) {
  return mappings.find((mapping) => mapping.productName === productName)?.fields ?? {};
}
// endregion mapping
