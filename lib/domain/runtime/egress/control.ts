/** How the workers of a cluster reach its egress guards, and how each side shows the other that it has the key, without sending it. */

/** Orders of workers, and what the guard counted. Apps never get there. */
export const CONTROL_PORT = 61_002;

/** Whether the guard is ready, and whether it knows a Pod (`GET /pods/<uid>`). HTTP. */
export const ASK_PORT = 61_003;

/** No app's host can have these ports. Above those that the kernel gives out, so that they are never taken. */
export const GUARD_PORTS: readonly number[] = [CONTROL_PORT, ASK_PORT];

/**
 * Guard: `{"nonce"}`. Worker: `{"nonce", "proof"}`. Guard: `{"proof"}`. Then orders, and reports. A proof is the HMAC-SHA256 of this text by
 * the key, in base64url. Each side chose one of the nonces, so no proof of another connection counts.
 */
export function proofText(side: "guard" | "worker", nonces: { guard: string; worker: string }): string {
  return `app-hosting-platform egress ${side} ${nonces.guard} ${nonces.worker}`;
}
