/** Where the time of a call went, and how long things took, in words. Pure. */
import type { DeliveryHold } from "@/lib/contract/catalog/installation-states";
import type { CallView } from "@/lib/contract/insight/call";
import type { FoundOptions } from "@/lib/contract/platform/options";
import { REDACTION_MARK } from "@/lib/contract/platform/text";
import { nameTest } from "../calls/installation";

/** Completes "because …". */
export const HOLD_REASONS: Record<DeliveryHold, string> = {
  NOT_RUNNING: "the installation wasn't running",
  NOT_READY: "no instance of the app was ready",
  BREAKER_OPEN: "deliveries were paused after repeated failures",
};

/** An installation in a menu. */
export function toInstallationOption(installation: {
  id: string;
  title: string;
  tenant: string;
  test: boolean;
  trial: boolean;
}): FoundOptions["options"][number] {
  const { id, title, tenant } = installation;
  const kind = nameTest(installation);
  return { value: id, text: title, detail: kind === undefined ? tenant : `${tenant} · ${kind}` };
}

export interface LatencyPart {
  part: "queue" | "platform" | "app";
  ms: number;
}

/** Where the time of a call went, in the order in which it passed. Parts that were not measured are left out. */
export function splitLatency({
  queueMs,
  platformMs,
  durationMs,
}: Pick<CallView, "queueMs" | "platformMs" | "durationMs">): LatencyPart[] {
  const parts = [
    { part: "queue", ms: queueMs },
    { part: "platform", ms: platformMs },
    { part: "app", ms: durationMs },
  ] as const;
  return parts.flatMap(({ part, ms }) => (ms === null ? [] : [{ part, ms }]));
}

/** "364 ms", "1.2 s", "3 minutes". */
export function formatMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, "")} s`;
  return formatDuration(ms);
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** "12 minutes": only the largest unit. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 1];
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** A core's call as a command for a shell. The credential is a variable: it is never in the text. */

/** Any POSIX shell reads the result as one word, equal to `text`. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Characters that a terminal obeys, or that change the direction of the text around them. In JSON, only strings have them. */
const UNSAFE = /[\u0080-\u009F\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

/** The same JSON, safe to paste into a terminal. */
function escapeUnsafe(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A shell's word: the text with a variable, which must be set, in place of each redaction mark, so that no mark is sent as a value. */
function quotePayload(json: string): string {
  let at = 0;
  const words = [...json.matchAll(REDACTION_MARK)].flatMap(({ 0: mark, 1: what = "", index }) => {
    const before = json.slice(at, index);
    at = index + mark.length;
    return [quoteForShell(escapeUnsafe(before)), `"\${${nameVariable(what)}:?}"`];
  });
  return [...words, quoteForShell(escapeUnsafe(json.slice(at)))].join("");
}

/** "secret: apiKey" as SECRET_apiKey, "state key" as STATE_KEY. */
function nameVariable(what: string): string {
  const [, setting] = /^secret: (.*)$/.exec(what) ?? [];
  return setting === undefined
    ? what.toUpperCase().replaceAll(" ", "_")
    : `SECRET_${setting.replaceAll(/\W/g, "_")}`;
}

interface CurlCall {
  /** Where the core sends such calls. */
  address: string;
  /** JSON text; undefined if it is not known in full. */
  payload: string | undefined;
}

/**
 * @returns a command that sends the call as the core does, with its credential in `CORE_CREDENTIAL`, and what was redacted in variables
 * such as `SECRET_apiKey`, without which nothing is sent
 */
export function toCurlCommand({ address, payload }: CurlCall): string {
  const data = payload === undefined ? "--data-binary @payload.json" : `--data-raw ${quotePayload(payload)}`;
  return [
    `curl ${quoteForShell(address)}`,
    '-H "authorization: Bearer $CORE_CREDENTIAL"',
    "-H 'content-type: application/json'",
    data,
  ].join(" \\\n  ");
}
