/** What a tenant's core and a publisher send to the gateway. */
import { setTimeout as sleep } from "node:timers/promises";
import { request, type Dispatcher } from "undici";
import type { Customer } from "./world";

const RETRY_MS = 100;
const GIVE_UP_MS = 60_000;
const ANSWERED_WITHIN_MS = 20_000;

export interface Answer {
  status: number;
  text: string;
}

/** Throws if there is no answer. */
export async function send(
  method: Dispatcher.HttpMethod,
  url: string,
  authorization: string,
  body: unknown,
  dispatcher?: Dispatcher,
): Promise<Answer> {
  const response = await request(url, {
    method,
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
    headersTimeout: ANSWERED_WITHIN_MS,
    bodyTimeout: ANSWERED_WITHIN_MS,
    ...(dispatcher && { dispatcher }),
  });
  return { status: response.statusCode, text: await response.body.text() };
}

/** @param takesMs how long the app takes to answer it */
export function createEvent(id: string, takesMs: number) {
  return { id, type: "policy.issued", timestamp: "2026-01-31T12:00:00Z", data: { takesMs } };
}

export function createAutofill(takesMs: number) {
  return { operation: "newBusiness.create", data: { takesMs } };
}

/** Repeats an event with the same id until the gateway has accepted it, as a core must. */
export async function sendUntilAccepted(
  gatewayUrl: string,
  { core }: Customer,
  event: ReturnType<typeof createEvent>,
): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_MS;
  for (;;) {
    const outcome = await send("POST", `${gatewayUrl}/core/v1/events`, core, event).catch(String);
    if (typeof outcome !== "string") {
      if (outcome.status === 202) return;
      if (outcome.status < 500 && outcome.status !== 429)
        throw new Error(`The gateway refused event ${event.id}: ${outcome.status} ${outcome.text}`);
    }
    if (Date.now() > giveUpAt) {
      const last = typeof outcome === "string" ? outcome : `${outcome.status} ${outcome.text}`;
      throw new Error(`The gateway did not accept event ${event.id} within a minute: ${last}`);
    }
    await sleep(RETRY_MS);
  }
}
