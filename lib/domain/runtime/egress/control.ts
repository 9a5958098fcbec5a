/** How the workers of a cluster reach its egress guards, and how each side shows the other that it has the key, without sending it. */

import { GUARD_PORTS } from "../../platform/guarded-app";

/** Orders of workers, and what the guard counted. Apps never get there. */
export const CONTROL_PORT = GUARD_PORTS.control;

/** Whether the guard is ready, and whether it knows a Pod (`GET /pods/<uid>`). HTTP. */
export const ASK_PORT = GUARD_PORTS.ask;

/**
 * Guard: `{"nonce"}`. Worker: `{"nonce", "proof"}`. Guard: `{"proof"}`. Then orders, and reports. A proof is the HMAC-SHA256 of this text by
 * the key, in base64url. Each side chose one of the nonces, so no proof of another connection counts.
 */
export function proofText(side: "guard" | "worker", nonces: { guard: string; worker: string }): string {
  return `app-hosting-platform egress ${side} ${nonces.guard} ${nonces.worker}`;
}
