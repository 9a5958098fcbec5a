import { toCallQuery } from "@/lib/contract/calls/call-filter";
import type { ReviewState } from "@/lib/contract/catalog/listing";
import type { AppChecklistItem, AppStatus, AppVersions } from "@/lib/contract/surface/own-app";
import { chooseApp, listVersions, readStatus } from "../platform/apps-api";
import { findCredentials } from "../platform/credentials";
import { whoami } from "../platform/publish-api";
import type { CliContext, Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { alignRows, describeAge, type Row, style } from "../terminal/format";
import { openBrowser } from "../terminal/open-browser";
import type { AppOptions } from "../terminal/options";

/** Fails if a required item is missing, and only then: what is recommended is up to the publisher. */
export async function showStatus(context: CliContext, options: AppOptions): Promise<void> {
  const { terminal } = context;
  const status = await readStatus(await chooseApp(context, options));
  const missing = listMissing(status);
  terminal.data({ ...status, missing });
  const { bold, dim } = style(terminal);
  terminal.result(`${bold(status.app)}  ${visible(status.title)}`);
  const rows: Row[] = [
    ["State", describeState(status)],
    ["Newest", describeNewest(status)],
    ["Review", describeLastReview(status)],
    ["Running", describeRunning(status)],
    ["In use", count(status.installations, "installation")],
    ["Page", status.pages.app],
  ];
  const lines = rows.map(([name = "", value = ""]): Row => [{ text: String(name), paint: dim }, value]);
  for (const line of alignRows(lines)) terminal.result(`  ${line}`);
  printReviewNote(status, terminal);
  printFailures(status, terminal);
  printMissing(missing, terminal);
  for (const line of listNext(status, missing)) terminal.note(line);
  if (missing.required.length === 0) return;
  const items = missing.required.length === 1 ? "A required item is" : "Required items are";
  throw new Failure("INCOMPLETE_LISTING", `${status.app} can't be submitted yet. ${items} missing.`, {
    isReported: true,
  });
}

type MissingItem = Pick<AppChecklistItem, "title" | "page">;

interface Missing {
  /** A submission without them is refused. */
  required: MissingItem[];
  recommended: MissingItem[];
}

/** Nothing of a retired app, which can't be submitted anymore. */
export function listMissing({ checklist, state }: Pick<AppStatus, "checklist" | "state">): Missing {
  const list = (isRequired: boolean) =>
    checklist
      .filter(({ done, required }) => !done && required === isRequired)
      .map(({ title, page }) => ({ title, page }));
  return state === "RETIRED"
    ? { required: [], recommended: [] }
    : { required: list(true), recommended: list(false) };
}

function describeState({ state, suspension, verified }: AppStatus): string {
  const words = state.toLowerCase();
  if (suspension !== null) return `${words}: ${visible(suspension)}`;
  return verified === null ? words : `${words}, version ${verified} is verified`;
}

function describeNewest({ newest }: AppStatus): string {
  if (newest === null) return "no version yet";
  const { version, publishedAt, verified } = newest;
  return `${version}, published ${describeAge(publishedAt)}${verified ? ", verified" : ""}`;
}

function describeLastReview({ review }: AppStatus): string {
  if (review === null) return "never submitted";
  const { state, version, submittedAt, decidedAt, comments } = review;
  const what = version === null ? "the listing's text" : `version ${version}`;
  const said = comments === 0 ? "" : `, ${count(comments, "comment")}`;
  return `${what}: ${describeReview(state)} ${describeAge(decidedAt ?? submittedAt)}${said}`;
}

function describeRunning({ instances }: AppStatus): string {
  if (instances.length === 0) return "no instances";
  const versions = [...new Set(instances.map(({ version }) => version))];
  return versions
    .map((version) => {
      const own = instances.filter((each) => each.version === version);
      const ready = own.filter(({ state, failingSince }) => state === "READY" && failingSince === null);
      return `${version}: ${ready.length} of ${count(own.length, "instance")} ready`;
    })
    .join(", ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function printReviewNote({ review }: AppStatus, terminal: Terminal): void {
  const isOpen = review?.state === "CHANGES_REQUESTED" || review?.state === "REJECTED";
  if (review === null || !isOpen || review.note === "") return;
  const { yellow } = style(terminal);
  terminal.result("");
  terminal.result(yellow("The moderator wrote:"));
  for (const line of review.note.split("\n")) terminal.result(`  ${visible(line)}`);
  terminal.result(`  ${review.page}`);
}

function printFailures({ failures, moreFailures, instances }: AppStatus, terminal: Terminal): void {
  const { red, dim } = style(terminal);
  const failing = instances.filter(({ failingSince }) => failingSince !== null);
  if (failures.length + failing.length === 0) return;
  terminal.result("");
  for (const { version, failingSince, reason, code } of failing)
    terminal.result(
      `${red("✗")} ${version} started failing its health checks ${describeAge(failingSince ?? "")}: ${visible(reason ?? "")} ${dim(code ?? "")}`.trimEnd(),
    );
  for (const { version, at, reason, code, parked } of failures) {
    terminal.result(
      `${red("✗")} ${version} failed ${describeAge(at)}: ${visible(reason)} ${dim(code ?? "")}`.trimEnd(),
    );
    if (parked !== null)
      terminal.result(`  It crashed ${parked.crashes} times, so the platform no longer restarts it.`);
  }
  if (moreFailures === true) terminal.result(dim("Older versions failed too, which are not listed."));
}

function printMissing({ required, recommended }: Missing, terminal: Terminal): void {
  const { red, dim, green } = style(terminal);
  const print = (mark: string, items: readonly MissingItem[]) => {
    const rows = items.map(({ title, page }): Row => [title, { text: page, paint: dim }]);
    for (const line of alignRows(rows)) terminal.result(`  ${mark} ${line}`);
  };
  terminal.result("");
  if (required.length === 0) terminal.result(`${green("✓")} All required items are done.`);
  else terminal.result("Missing, required:");
  print(red("✗"), required);
  if (recommended.length > 0) terminal.result("Missing, recommended:");
  print("·", recommended);
}

function listNext({ newest, review, state }: AppStatus, { required }: Missing): string[] {
  if (state === "RETIRED") return [];
  if (newest === null) return ["Next:  platform-app publish --build ."];
  const isWaiting = review?.state === "PENDING";
  if (newest.verified || isWaiting || required.length > 0) return [];
  const wasDecided = review?.version === newest.version && review.state !== "WITHDRAWN";
  return [
    wasDecided ? "Next:  publish a new version, then platform-app submit" : "Next:  platform-app submit",
  ];
}

export interface VersionsOptions extends AppOptions {
  all?: boolean;
}

type Version = AppVersions["versions"][number];

export async function showVersions(context: CliContext, options: VersionsOptions): Promise<void> {
  const { terminal } = context;
  const app = await chooseApp(context, options);
  const versions: Version[] = [];
  let next: string | undefined;
  do {
    const page = await listVersions(app, next);
    versions.push(...page.versions);
    next = page.next;
  } while (options.all === true && next !== undefined);
  for (const version of versions) terminal.data(version);
  if (versions.length === 0)
    return terminal.result(
      `${app.name} has no versions yet. Publish the first one:  platform-app publish --build .`,
    );
  const { bold, dim, green } = style(terminal);
  const head = ["VERSION", "STATE", "PUBLISHED", "BY", "IN USE", "IMAGE"].map((text) => ({
    text,
    paint: dim,
  }));
  const rows = versions.map((version): Row => {
    const { verifiedAt, review } = version;
    const state =
      verifiedAt !== null ? "verified" : review === null ? "not submitted" : describeReview(review);
    return [
      { text: version.version, paint: bold },
      { text: state, paint: verifiedAt === null ? undefined : green },
      describeAge(version.publishedAt),
      visible(version.publishedBy ?? "unknown"),
      { text: String(version.installations), right: true },
      { text: version.imageDigest.slice(0, "sha256:".length + 12), paint: dim },
    ];
  });
  for (const line of alignRows([head, ...rows])) terminal.result(line);
  if (next !== undefined) terminal.note("Older versions are not shown. To list all versions, use --all.");
}

const WORDS: Record<ReviewState, string> = {
  PENDING: "in review",
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes requested",
  REJECTED: "rejected",
  WITHDRAWN: "withdrawn",
};

function describeReview(state: ReviewState): string {
  return WORDS[state];
}

export type WebPage = "listing" | "docs" | "logs" | "calls" | "keys";

/** Opens a page of the platform, or prints its URL if no browser starts. */
export async function openPage(context: CliContext, page: WebPage, options: AppOptions): Promise<void> {
  const { environment, terminal } = context;
  const url = await findPage(context, page, options);
  terminal.data({ page, url });
  if (terminal.interactive && (await openBrowser(url, environment.inherited))) terminal.note(`Opened ${url}`);
  else terminal.result(url);
}

async function findPage(context: CliContext, page: WebPage, options: AppOptions): Promise<string> {
  if (page === "docs" || page === "keys") {
    const { webUrl } = await whoami(await findCredentials(context.environment));
    return new URL(page === "docs" ? "/docs" : "/organization/api-keys", webUrl).href;
  }
  const app = await chooseApp(context, options);
  const { pages } = await readStatus(app);
  if (page === "logs") return pages.logs;
  if (page === "listing") return pages.app;
  return new URL(`/calls?${toCallQuery({ app: app.name }).toString()}`, pages.app).href;
}
