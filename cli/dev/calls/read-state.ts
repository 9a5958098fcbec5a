/** Answers the app's reads of state, and notes each with its call. */
import { randomUUID } from "node:crypto";
import { unknownKey } from "@/lib/domain/unknown-key";
import type { DevRead } from "../contract/calls";
import type { Emulator } from "../emulator/emulator";
import { openState, type StateRead } from "../platform/state-api";

/** Throws the platform's own NOT_FOUND for any key that isn't good now. */
export function readState(emulator: Emulator, key: string, what: StateRead["what"]): unknown {
  const read = openState(emulator.keys, emulator.tokens, key, what);
  noteRead(emulator, read);
  if (read.body === undefined) throw unknownKey();
  return read.body;
}

function noteRead({ history }: Emulator, found: StateRead): void {
  const { content, key, what, status, ms, refusal, answered } = found;
  const callId = content?.callId ?? null;
  const read: DevRead = {
    ...{ id: randomUUID(), at: new Date().toISOString(), callId, key, what, status, ms, refusal, answered },
    customerId: content?.customer.id ?? null,
    customerName: content?.customer.name ?? null,
  };
  history.addRead(read);
  const call = callId === null ? undefined : history.findCall(callId);
  if (call !== undefined) history.putCall({ ...call, reads: [...call.reads, read] });
}
