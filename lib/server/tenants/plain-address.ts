import { Problem } from "@/lib/contract/problem";

/** The address without a slash at its end, for paths are joined to it and tokens name it. Throws BAD_INPUT. */
export function plainAddress(address: string): string {
  const url = new URL(address);
  // A query or a fragment that is empty leaves its sign in the address, and no trace in `search` or `hash`.
  const bare = url.username === "" && url.password === "" && !/[?#]/.test(url.href);
  if (bare) return url.href.replace(/\/+$/, "");
  const message =
    "Write the address without a user name, a query or a fragment. The platform signs in with a token of its own.";
  throw new Problem("BAD_INPUT", message, [{ code: "core-address", pointer: "/coreApiUrl", message }]);
}
