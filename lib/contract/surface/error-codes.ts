/** Every code that a person can get. Each has one entry in `docs/guide/errors.md`, below the heading of its group. */
import { CHECK_NAMES, type CheckName } from "../moderation/check-names";
import {
  APP_FAULTS,
  BUNDLE_CODES,
  CONFIGURATION_CODES,
  INPUT_CODES,
  type IssueCode,
  MANIFEST_CODES,
  PAYLOAD_CODES,
  VERSION_CODES,
} from "../platform/issue-codes";
import { DOCS_PARTS, entryPath } from "../platform/docs-pages";
import { PROBLEM_STATUS, type ProblemCode } from "../platform/problem";
import { REASON_CODES, type ReasonCode } from "../runtime/instance-reasons";
import { CLI_EXIT_STATUS, type CliFailureCode } from "./cli-failures";

export type ErrorCode = ProblemCode | IssueCode | ReasonCode | CheckName | CliFailureCode;

/** Problems of one part of the platform. All others are in the last group, "API and forms". */
const PROBLEMS = {
  publishing: [
    "BAD_MANIFEST",
    "BAD_BUNDLE",
    "VERSION_EXISTS",
    "STALE_REVISION",
    "QUOTA_EXCEEDED",
    "REGISTRY_FAILED",
    "STORAGE_FULL",
  ],
  calls: [
    "APP_NOT_RUNNING",
    "APP_FAILED",
    "APP_TIMED_OUT",
    "APP_BUSY",
    "OPERATION_NOT_DECLARED",
    "BAD_PATH",
    "EVENT_ID_REUSED",
  ],
  configuration: ["TERMS_CHANGED", "CORE_FAILED"],
  signIn: [
    "NOT_SIGNED_IN",
    "WRONG_CREDENTIALS",
    "SECOND_FACTOR_NEEDED",
    "WRONG_CODE",
    "NOT_ALLOWED",
    "WRONG_ORIGIN",
    "ORGANIZATION_CHANGED",
    "NOT_A_MEMBER",
  ],
} as const satisfies Record<string, readonly ProblemCode[]>;

interface ErrorGroup {
  title: string;
  codes: readonly ErrorCode[];
}

/**
 * In the order of the documentation, which follows an app from its manifest to its calls. A code with two meanings, such as
 * `TOO_LARGE`, has one entry, in the first group that names it.
 */
export const ERROR_GROUPS: readonly ErrorGroup[] = withoutRepeats([
  { title: "Manifest", codes: MANIFEST_CODES },
  { title: "Image", codes: BUNDLE_CODES },
  { title: "Publishing", codes: [...PROBLEMS.publishing, ...VERSION_CODES] },
  { title: "Automatic checks", codes: CHECK_NAMES },
  { title: "Starting an app", codes: REASON_CODES },
  { title: "Calls", codes: [...PROBLEMS.calls, ...APP_FAULTS, ...PAYLOAD_CODES] },
  { title: "Configuration", codes: [...CONFIGURATION_CODES, ...PROBLEMS.configuration] },
  { title: "Sign-in and permissions", codes: PROBLEMS.signIn },
  { title: "Command line", codes: keysOf(CLI_EXIT_STATUS) },
  { title: "API and forms", codes: [...keysOf(PROBLEM_STATUS), ...INPUT_CODES] },
]);

const PARTS = new Map<string, string>(
  ERROR_GROUPS.flatMap(({ title, codes }) => {
    const part = DOCS_PARTS.errors.find((each) => each.title === title)?.slug ?? "";
    return codes.map((code) => [code, part] as const);
  }),
);

/** The entry of a code in the documentation, without the redirect of `errorPath`; undefined for any other text. */
export function errorEntryPath(code: string): string | undefined {
  const part = PARTS.get(code);
  return part === undefined ? undefined : entryPath("errors", part, code);
}

function withoutRepeats(groups: readonly ErrorGroup[]): ErrorGroup[] {
  const seen = new Set<string>();
  return groups.map(({ title, codes }) => ({
    title,
    codes: codes.filter((code) => !seen.has(code) && seen.add(code)),
  }));
}

function keysOf<Code extends string>(table: Readonly<Record<Code, unknown>>): Code[] {
  return Object.keys(table).filter((key): key is Code => Object.hasOwn(table, key));
}
