import { CHECK_NAMES, type CheckName } from "@/lib/contract/moderation/check-names";
import type { CheckResult, EvidenceCheck } from "@/lib/contract/moderation/review";

interface Image {
  architecture: string;
  user: string;
  exposedPorts: readonly string[];
  volumes: readonly string[];
}

const NO_IMAGE =
  "This example app comes with the platform and runs from its folder, so there is no image to check.";
const ROOT_USERS = new Set(["", "0", "root"]);

const MISSING =
  "The platform's stored copy of this image is missing. Ask the platform's operator to restore it, then run the checks again.";

/** @param image null for an example that is not an image, undefined if its stored archive is missing */
export function judgeImage(
  image: Image | null | undefined,
): Record<"architecture" | "image-settings", Verdict> {
  if (image === null) return { architecture: skip(NO_IMAGE), "image-settings": skip(NO_IMAGE) };
  if (image === undefined) return { architecture: skip(MISSING), "image-settings": skip(MISSING) };
  return {
    // Images for anything else are refused when they are published.
    architecture: pass(`The image is for ${image.architecture}.`),
    "image-settings": judgeSettings(image),
  };
}

function judgeSettings({ user, exposedPorts, volumes }: Image): Verdict {
  const asRoot = ROOT_USERS.has(user.split(":", 1)[0] ?? "");
  const problems = [
    ...(asRoot
      ? [
          `The image runs as ${user === "" ? "root, because it sets no USER" : `USER ${user}`}. The platform runs it as user 65532, so make sure that it doesn't need root, and set USER 65532.`,
        ]
      : []),
    ...(volumes.length > 0
      ? [
          `The image declares VOLUME ${listSome(volumes)}. The platform ignores volumes, and what an app writes is lost when it stops. Remove the instruction.`,
        ]
      : []),
  ];
  if (problems.length > 0) return warn(problems.join(" "));
  const ports =
    exposedPorts.length === 0 ? "" : ` It exposes ${listSome(exposedPorts)}, which has no effect.`;
  return pass(`The image runs as user ${user} and declares no volumes.${ports}`);
}

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

/** Gives every check without a verdict this one. */
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
