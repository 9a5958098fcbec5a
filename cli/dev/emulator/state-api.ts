/** `GET /state/<key>` and `GET /state/<key>/webhook-secrets`, as the platform answers them. */
import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { StateRecord } from "@/lib/contract/catalog/configuration";
import type { LocalTokens } from "./local-core";

/** What a read got, and what it looked like for people. */
export interface StateRead {
  /** What the app gets; undefined if the key isn't good now. */
  body: unknown;
  content: KeyContent | undefined;
  key: string;
  what: "state" | "webhook-secrets";
  status: number;
  ms: number;
  refusal: string | null;
  /** With secrets and the token masked. */
  answered: ReadAnswer | null;
}

type Text = string;
type ReadAnswer = { [name: string]: ReadAnswer | Text | Text[] | ReadAnswer[] };

const MASK = "••••••••";

export function openState(
  keys: StateKeys,
  tokens: LocalTokens,
  key: string,
  what: StateRead["what"],
): StateRead {
  const startedMs = performance.now();
  const { content, refusal = findRefusal(content, what) } = keys.open(key);
  const read = { content, key: shortenKey(key), what };
  const ms = () => Math.round((performance.now() - startedMs) * 10) / 10;
  if (refusal !== null || content === undefined)
    return { ...read, status: 404, ms: ms(), refusal, answered: null, body: undefined };
  const good = { ...read, status: 200, refusal: null };
  if (what === "webhook-secrets") {
    const body = { secrets: content.webhookSecrets };
    return { ...good, ms: ms(), answered: { secrets: [MASK] }, body };
  }
  const { record } = content;
  const token = tokens.sign({
    audience: record.coreApiUrl,
    organization: record.tenantHostName.split(".")[0] ?? "",
    tenant: record.tenantHostName,
    subject: content.customer.id,
    tokenId: content.callId ?? content.customer.id,
    scope: content.scope,
  });
  return { ...good, ms: ms(), answered: mask(content), body: { ...record, token } };
}

function findRefusal(content: KeyContent | undefined, what: StateRead["what"]): string | null {
  return what === "webhook-secrets" && content?.webhookSecrets === null
    ? "The key of a configuration check doesn't give access to webhook secrets."
    : null;
}

function mask({ record, secretNames }: KeyContent): ReadAnswer {
  const settings = Object.entries(record.settings).map(([name, value]) => [
    name,
    secretNames.includes(name) ? MASK : value,
  ]);
  return { ...record, settings: Object.fromEntries(settings), token: MASK };
}

const PREFIX = "psk_";
/** So that keys are as long as the platform's. */
const KEY_BYTES = 96;
/** For how long a key that has expired is known, so that its refusal can be explained here. */
const REMEMBERED_MS = 10 * 60_000;

interface KeyContent {
  /** Null for the key of a configuration check. */
  callId: string | null;
  customer: { id: string; name: string };
  /** The customer's answers as they were when the call began. */
  record: Omit<StateRecord, "token">;
  /** The permissions that the manifest asks for. */
  scope: string | null;
  /** Names of its settings that are secret. */
  secretNames: readonly string[];
  /** Null where webhooks can't be sent, as in a configuration check. */
  webhookSecrets: readonly string[] | null;
  expiresAt: number;
  /** A drill's key that the state API treats as one that it never saw. */
  isForeign?: boolean;
}

type OpenedKey =
  | { content: KeyContent; refusal?: undefined }
  /** `content` if the key was good once. */
  | { content?: KeyContent; refusal: string };

export interface StateKeys {
  create(content: KeyContent): string;
  open(key: string): OpenedKey;
}

/** The keys of calls. Each is good for one call, as long as on the platform. Apps must not read anything into them. */
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
