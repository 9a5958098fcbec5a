import type { Leak } from "@/lib/domain/evidence/judge-customers";
import { createRedaction, type Redaction } from "../redaction/redact-secrets";
import type { Customer } from "./customers";
import type { SentSample } from "./send-samples";

/** Searched at once: an index of more takes much memory. Parts overlap, so that no secret is cut in every part. */
const PART = 64 * 1024;
const OVERLAP = 4 * 1024;

const MARKS = /\[(secret: [^\]]+|state key|token)\]/g;

/** Where an app wrote secrets of its customers, state keys or tokens, in any encoding that the platform redacts. */
export function findLeaks(customers: readonly Customer[], log: string, calls: readonly SentSample[]): Leak[] {
  const secrets = customers.flatMap(({ settings }) => settings.filter(({ secret }) => secret));
  const redact = createRedaction(secrets);
  const found = [
    ...findIn(redact, log).map((what) => ({ what, where: "its log" })),
    ...calls.flatMap(({ answer, what: call }) =>
      findInAnswer(redact, answer ?? "").map((what) => ({ what, where: `the answer to ${call}` })),
    ),
  ];
  return found.filter(
    (leak, at) => found.findIndex(({ what, where }) => what === leak.what && where === leak.where) === at,
  );
}

/** The call's own key is already replaced. */
function findInAnswer(redact: Redaction, answer: string): string[] {
  return [...(answer.includes("[state key]") ? ["a state key"] : []), ...findIn(redact, answer)];
}

function findIn(redact: Redaction, text: string): string[] {
  // A mark that the app itself wrote doesn't count.
  const plain = text.replaceAll("[", "(");
  const found = new Set<string>();
  for (let at = 0; at < plain.length; at += PART - OVERLAP)
    for (const [, mark = ""] of redact(plain.slice(at, at + PART)).matchAll(MARKS)) found.add(toWords(mark));
  return [...found];
}

function toWords(mark: string): string {
  return mark.startsWith("secret: ") ? `the setting ${mark.slice("secret: ".length)}` : `a ${mark}`;
}
