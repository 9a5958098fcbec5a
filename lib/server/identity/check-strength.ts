import { Problem } from "@/lib/contract/problem";
import { findWeakness } from "@/lib/domain/password";

/** Throws BAD_INPUT at `/password` for a password that is easy to guess. `about`: the user's name and address. */
export function checkStrength(password: string, about: readonly string[]): void {
  const message = findWeakness(password, about);
  if (message !== undefined)
    throw new Problem("BAD_INPUT", message, [{ code: "weak", pointer: "/password", message }]);
}
