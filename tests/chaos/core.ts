/** A tenant's core: it sends events, and repeats each with the same id until the platform has accepted it. */
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import type { Customer } from "./world";

const RETRY_MS = 100;
const GIVE_UP_MS = 60_000;

export interface SentEvent {
  id: string;
  /** How long the app takes to answer it. */
  takesMs: number;
}

export function createEvent({ id, takesMs }: SentEvent) {
  return { id, type: "policy.issued", timestamp: "2026-01-31T12:00:00Z", data: { takesMs } };
}

export async function sendUntilAccepted(
  gatewayUrl: string,
  { authorization }: Customer,
  event: SentEvent,
): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_MS;
  for (;;) {
    const outcome = await post(`${gatewayUrl}/core/v1/events`, authorization, createEvent(event));
    if (outcome === 202) return;
    if (typeof outcome === "number" && outcome >= 400 && outcome < 500 && outcome !== 429)
      throw new Error(`The gateway refused event ${event.id} with ${outcome}.`);
    if (Date.now() > giveUpAt)
      throw new Error(`The gateway did not accept event ${event.id} within a minute: ${outcome}`);
    await sleep(RETRY_MS);
  }
}

/** The status, or why there is none. */
async function post(url: string, authorization: string, body: unknown): Promise<number | string> {
  try {
    const response = await request(url, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    });
    await response.body.dump();
    return response.statusCode;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
