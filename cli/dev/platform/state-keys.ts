/** The keys of calls. Each is good for one call, as long as on the platform. Apps must not read anything into them. */
import { randomBytes } from "node:crypto";
import type { StateRecord } from "@/lib/contract/state-record";

const PREFIX = "psk_";
/** So that keys are as long as the platform's. */
const KEY_BYTES = 96;
/** For how long a key that has expired is known, so that its refusal can be explained here. */
const REMEMBERED_MS = 10 * 60_000;

export interface KeyContent {
  /** Null for the key of a configuration check. */
  callId: string | null;
  customer: { id: string; name: string };
  /** The customer's answers as they were when the call began. */
  record: Omit<StateRecord, "token">;
  /** Names of its settings that are secret. */
  secretNames: readonly string[];
  /** Null where webhooks can't be sent, as in a configuration check. */
  webhookSecrets: readonly string[] | null;
  expiresAt: number;
  /** A drill's key that the state API treats as one that it never saw. */
  isForeign?: boolean;
}

export type OpenedKey =
  | { content: KeyContent; refusal?: undefined }
  /** `content` if the key was good once. */
  | { content?: KeyContent; refusal: string };

export interface StateKeys {
  create(content: KeyContent): string;
  open(key: string): OpenedKey;
}

export function createStateKeys(now: () => number = Date.now): StateKeys {
  const known = new Map<string, KeyContent>();
  return {
    create: (content) => {
      for (const [key, { expiresAt }] of known) if (expiresAt + REMEMBERED_MS < now()) known.delete(key);
      const key = unknownStateKey();
      known.set(key, content);
      return key;
    },
    open: (key) => {
      const content = known.get(key);
      if (content === undefined)
        return { refusal: key.startsWith(PREFIX) ? "The key is unknown." : "This is not a state key." };
      if (content.isForeign === true) return { content, refusal: "The key is unknown." };
      return content.expiresAt > now() ? { content } : { content, refusal: "The key has expired." };
    },
  };
}

/** Looks like a key, and opens nothing. */
export function unknownStateKey(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString("base64url");
}

/** How a key is shown. */
export function shortenKey(key: string): string {
  return key.length <= 16 ? key : `${key.slice(0, 8)}…${key.slice(-4)}`;
}
