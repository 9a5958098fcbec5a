/** `GET /state/<key>` and `GET /state/<key>/webhook-secrets`, as the platform answers them. */
import { performance } from "node:perf_hooks";
import type { LocalTokens } from "./local-tokens";
import { shortenKey, type KeyContent, type StateKeys } from "./state-keys";

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
export type ReadAnswer = { [name: string]: ReadAnswer | Text | Text[] | ReadAnswer[] };

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
  });
  return { ...good, ms: ms(), answered: mask(content), body: { ...record, token } };
}

function findRefusal(content: KeyContent | undefined, what: StateRead["what"]): string | null {
  return what === "webhook-secrets" && content?.webhookSecrets === null
    ? "The key of a configuration check opens no webhook secrets."
    : null;
}

function mask({ record, secretNames }: KeyContent): ReadAnswer {
  const settings = Object.entries(record.settings).map(([name, value]) => [
    name,
    secretNames.includes(name) ? MASK : value,
  ]);
  return { ...record, settings: Object.fromEntries(settings), token: MASK };
}
