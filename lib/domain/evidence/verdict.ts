import type { CheckResult, EvidenceCheck } from "@/lib/contract/evidence";
import { CHECK_NAMES, type CheckName } from "@/lib/contract/check-names";

/** What a check concludes. The detail is for the publisher: what was seen, and how to fix it. */
export interface Verdict {
  result: CheckResult;
  detail: string;
}

export const pass = (detail: string): Verdict => ({ result: "PASS", detail });
export const warn = (detail: string): Verdict => ({ result: "WARN", detail });
export const fail = (detail: string): Verdict => ({ result: "FAIL", detail });
export const skip = (detail: string): Verdict => ({ result: "SKIPPED", detail });

export const CHECK_TITLES: Record<CheckName, string> = {
  architecture: "Runs on amd64",
  "image-settings": "Image settings",
  port: "Listens on PLATFORM_PORT",
  health: "Becomes healthy in time",
  hooks: "Lifecycle hooks respond",
  routes: "Routes respond to sample calls",
  state: "Reads its state",
  customers: "Keeps customers' data separate",
  secrets: "Leaks no secrets",
  restart: "Survives a restart",
  "start-time": "Start time",
  memory: "Memory",
};

export type Verdicts = Partial<Record<CheckName, Verdict & { ms: number }>>;

/** In the order in which checks are shown. */
export function listChecks(verdicts: Verdicts): EvidenceCheck[] {
  return CHECK_NAMES.flatMap((name) => {
    const verdict = verdicts[name];
    return verdict === undefined ? [] : [{ name, title: CHECK_TITLES[name], ...verdict }];
  });
}

/** The same verdict for every check that has none. */
export function skipRest(verdicts: Verdicts, reason: string): Verdicts {
  const skipped = CHECK_NAMES.filter((name) => verdicts[name] === undefined).map(
    (name) => [name, { ...skip(reason), ms: 0 }] as const,
  );
  return { ...verdicts, ...Object.fromEntries(skipped) };
}

const SHOWN = 3;

/** `a, b, c and 4 more`. */
export function listSome(items: readonly string[]): string {
  const distinct = [...new Set(items)];
  const more = distinct.length - SHOWN;
  return more > 0
    ? `${distinct.slice(0, SHOWN).join(", ")} and ${more} more`
    : new Intl.ListFormat("en-US").format(distinct);
}

/** The same for sentences. */
export function joinSome(sentences: readonly string[]): string {
  const distinct = [...new Set(sentences)];
  const more = distinct.length - SHOWN;
  return [...distinct.slice(0, SHOWN), ...(more > 0 ? [`${more} more failed.`] : [])].join(" ");
}
