import { UserText } from "@/components/ui/values";
import { findCatalogEvent } from "@/lib/contract/calls/event-catalog";
import type { RouteView } from "@/lib/contract/installations/installation-view";
import {
  BYTE_ORDER_MARK,
  isShallow,
  type Issue,
  JSON_DEPTH,
  parsePayload,
  pointerTo,
} from "@/lib/contract/platform/problem";
import { REDACTION_MARK } from "@/lib/contract/platform/text";
import { acceptsPayload, matchesAny } from "@/lib/domain/calls/events";
import { syntaxIssues } from "@/lib/domain/catalog/manifest/parse-source";
import { type FoundIssue, locateIssues, scanSource } from "@/lib/domain/platform/json-text/json-source";
import { isRecord } from "@/lib/domain/platform/json-text/json-value";

const SHOWN = 3;

interface PayloadNotesProps {
  issues: readonly Issue[];
  /** The text is not JSON, so that it can't be sent. */
  isBroken: boolean;
  /** The user tried to send it. */
  wasRefused: boolean;
}

/** Errors and hints about a payload. It can be sent despite hints. */
export function PayloadNotes({ issues, isBroken, wasRefused }: PayloadNotesProps) {
  if (issues.length === 0) return null;
  const more = issues.length - SHOWN;
  return (
    <div
      role={wasRefused ? "alert" : "status"}
      className={`text-small leading-5 ${isBroken ? "text-danger" : "text-warning"}`}
    >
      {wasRefused && <p className="font-medium">Not sent: this is not valid JSON.</p>}
      <ul>
        {issues.slice(0, SHOWN).map(({ message, line, column, hint }) => (
          <li key={`${line}:${column} ${message}`} className="wrap-anywhere">
            Line {line}: <UserText>{hint === undefined ? message : `${message} ${hint}`}</UserText>
          </li>
        ))}
      </ul>
      {more > 0 && <p>And {more} more.</p>}
      {!isBroken && <p className="text-ink-faint">You can send it anyway.</p>}
    </div>
  );
}

// Errors and hints about a payload. Pure.

export interface CheckedPayload {
  /** Undefined if the text is not JSON that can be sent. */
  parsed: { value: unknown } | undefined;
  /** Errors if it can't be sent; otherwise hints, which don't prevent sending. With lines and columns. */
  issues: Issue[];
}

export function checkPayload(text: string, route: Pick<RouteView, "kind" | "patterns">): CheckedPayload {
  if (scanSource(text).depth > JSON_DEPTH) return refuse(`It is nested more than ${JSON_DEPTH} levels deep.`);
  const value = parsePayload(text);
  if (value === undefined) {
    // A byte order mark is not what is wrong with it.
    const source = text.startsWith(BYTE_ORDER_MARK) ? ` ${text.slice(1)}` : text;
    const issues = locateIssues(source, syntaxIssues(source));
    return issues.length > 0 ? { parsed: undefined, issues } : refuse("This is not valid JSON.");
  }
  if (!isShallow(value)) return refuse(`It is nested more than ${JSON_DEPTH} levels deep.`);
  const hints = route.kind === "webhook" ? checkEvent(value, route) : checkOperation(value, route);
  return {
    parsed: { value },
    issues: locateIssues(
      text,
      [...findRedacted(text), ...hints].map((hint) => ({ ...hint, severity: "warning" as const })),
    ),
  };
}

function refuse(message: string): CheckedPayload {
  return { parsed: undefined, issues: [{ code: "BROKEN_JSON", pointer: "", message, line: 1, column: 1 }] };
}

type Hint = Pick<FoundIssue, "code" | "pointer" | "message" | "offset">;

/** Marks of a recorded payload, each once. The app would get them as if they were the values. */
function findRedacted(text: string): Hint[] {
  const marks = new Map<string, number>();
  for (const { 0: mark, index } of text.matchAll(REDACTION_MARK))
    if (!marks.has(mark)) marks.set(mark, index);
  return [...marks].map(([mark, offset]) => ({
    code: "REDACTED",
    pointer: "",
    offset,
    message: `${mark} is in place of a value that is not recorded. Replace it, or the app gets the mark as the value.`,
  }));
}

function checkEvent(value: unknown, { patterns }: Pick<RouteView, "patterns">): Hint[] {
  const type = isRecord(value) ? value.type : undefined;
  if (!isRecord(value) || typeof type !== "string")
    return [{ code: "NO_TYPE", pointer: "", message: 'An event needs a "type", such as "policy.issued".' }];
  if (!matchesAny(patterns, type))
    return [
      {
        code: "OTHER_TYPE",
        pointer: "/type",
        message: `This route doesn't subscribe to "${type}". It subscribes to ${patterns.join(", ")}.`,
      },
    ];
  const known = findCatalogEvent(type);
  if (known === undefined) return [];
  // Members that the platform fills in are not missing.
  const event = { ...known.sample, data: undefined, ...value };
  const checked = known.schema.safeParse(event);
  if (checked.success) return [];
  return checked.error.issues.map(({ path, message }) => ({
    code: "NOT_AS_DOCUMENTED",
    pointer: pointerTo(...path),
    message: `This doesn't match the event catalog: ${pointerTo(...path) || "/"}: ${message}`,
  }));
}

function checkOperation(value: unknown, { kind, patterns }: Pick<RouteView, "kind" | "patterns">): Hint[] {
  const operation = isRecord(value) ? value.operation : undefined;
  if (kind !== "autofill" || acceptsPayload(patterns, value)) return [];
  return [
    {
      code: "OTHER_OPERATION",
      pointer: operation === undefined ? "" : "/operation",
      message: `This route only accepts these operations: ${patterns.join(", ")}.`,
    },
  ];
}
