/** What the code on pages is checked for, by the first words of its fence. CONTRIBUTING.md lists them for writers. */
import type { ZodType } from "zod";
import { autofillAnswer, raterAnswer } from "@/lib/contract/calls/app-answer";
import { acceptedEvent, problemShape, webhookSecrets } from "@/lib/contract/calls/gateway-answers";
import { configurationCheckAnswer, stateRecord } from "@/lib/contract/catalog/configuration";
import { publishFromInput } from "@/lib/contract/catalog/manifest-draft";
import { coreEvent } from "@/lib/contract/platform/core";
import { PROBLEM_STATUS, type ProblemCode } from "@/lib/contract/platform/problem";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { isRecord } from "@/lib/domain/platform/json-text/json-value";

type Check = (text: string) => string[];

const ALL_CODES = Object.keys(PROBLEM_STATUS).filter((code): code is ProblemCode =>
  Object.hasOwn(PROBLEM_STATUS, code),
);

/** `json <kind>`: parsed by the shape that the product uses. */
export const JSON_KINDS: Record<string, Check> = {
  manifest: checkWholeManifest,
  "manifest-part": (text) => {
    const part = parseRecord(text);
    const core = isRecord(part.core) ? { hosts: [], ...part.core } : undefined;
    return checkWholeManifest(JSON.stringify({ ...EMPTY_MANIFEST, ...part, core }));
  },
  state: byShape(stateRecord),
  event: byShape(coreEvent),
  "event-accepted": byShape(acceptedEvent),
  "autofill-answer": byShape(autofillAnswer),
  "rater-answer": byShape(raterAnswer),
  "check-answer": byShape(configurationCheckAnswer),
  "webhook-secrets": byShape(webhookSecrets),
  problem: byShape(problemShape(ALL_CODES)),
  "publish-from": byShape(publishFromInput),
};

const EMPTY_MANIFEST = { name: "acme/vin-lookup", version: "1.0.0" };

/** Without warnings: readers copy what they see. */
function checkWholeManifest(text: string): string[] {
  const found = checkManifest(text).issues.filter(({ severity }) => severity !== "hint");
  return found.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`);
}

function byShape(shape: ZodType): Check {
  return (text) => {
    const parsed = shape.safeParse(JSON.parse(text));
    return parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => `/${path.join("/")} ${message}`);
  };
}

function parseRecord(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error("a part of a manifest is an object");
  return value;
}

/** `http request`: a request line, headers, and after an empty line a body, which is JSON unless the headers say otherwise. */
export function checkRequest(text: string, bodyKind: string | undefined): string[] {
  const [head = "", ...rest] = text.split("\n\n");
  const [line = "", ...headers] = head.split("\n");
  const body = rest.join("\n\n");
  const check = bodyKind === undefined ? undefined : JSON_KINDS[bodyKind];
  if (bodyKind !== undefined && check === undefined) return [`${bodyKind} is not a kind of JSON`];
  if (body.trim() !== "") JSON.parse(body);
  return [
    ...(/^(GET|HEAD|POST|PUT|PATCH|DELETE) \/\S*$/.test(line) ? [] : [`"${line}" is not a request line`]),
    ...headers
      .filter((header) => !/^[\w-]+: \S.*$/.test(header))
      .map((header) => `"${header}" is not a header`),
    ...(check?.(body) ?? []),
  ];
}
