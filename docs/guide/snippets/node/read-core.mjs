/** Reads from the API of the customer's core, such as `/policies/P-1`. The token is valid for this customer only. */
export async function readFromCore({ coreApiUrl, token }, path) {
  const response = await fetch(coreApiUrl + path, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`The core returned ${response.status}.`);
  return response.json();
}
