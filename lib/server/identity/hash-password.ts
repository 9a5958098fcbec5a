import { hash, verify } from "@node-rs/argon2";

/** OWASP's minimum for argon2id, which is the package's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

let decoy: Promise<string> | undefined;

/** Takes as long for an unknown user (`stored` undefined) as for a wrong password. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword("nobody's password");
  const matches = await verify(stored ?? (await decoy), password);
  return matches && stored !== undefined;
}
