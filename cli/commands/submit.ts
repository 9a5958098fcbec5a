import { releaseNotesInput } from "@/lib/contract/catalog/listing";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import type { AppStatus } from "@/lib/contract/surface/own-app";
import { chooseApp, readStatus, submitVersion, withdrawReview } from "../platform/apps-api";
import type { CliContext } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { alignRows, type Row, style } from "../terminal/format";
import type { AppOptions } from "../terminal/options";
import { readTextOption } from "../terminal/text-option";
import { listMissing } from "./status";

export interface SubmitOptions extends AppOptions {
  note?: string;
  releaseNotes?: string;
  older?: boolean;
}

export async function submit(
  context: CliContext,
  version: string | undefined,
  { note, releaseNotes: notes, older, ...options }: SubmitOptions,
): Promise<void> {
  const { terminal } = context;
  const releaseNotes = notes === undefined ? undefined : await readNotes("--release-notes", notes);
  const app = await chooseApp(context, options);
  const status = await readStatus(app);
  requireComplete(status);
  const submitted = await submitVersion(app, { version, note, older, releaseNotes });
  terminal.data({ app: app.name, ...submitted });
  const { dim, green } = style(terminal);
  terminal.result(`${green("✓")} Version ${submitted.version} of ${app.name} was submitted for review.`);
  terminal.result(`  ${submitted.page}`);
  const { recommended } = listMissing(status);
  if (recommended.length > 0) {
    terminal.note("These recommended items are missing. Moderators often ask for them:");
    const rows = recommended.map(({ title, page }): Row => [title, { text: page, paint: dim }]);
    for (const line of alignRows(rows)) terminal.note(`  ${line}`);
  }
  terminal.note("See the decision:  platform-app status");
}

/** Names everything that is missing, and where to add it. */
function requireComplete(status: AppStatus): void {
  const { app, newest } = status;
  const missing = listMissing(status).required;
  if (missing.length === 0) return;
  const publish =
    newest === null
      ? [`Publish a version:  platform-app publish --build .  (in the folder with ${MANIFEST_FILE})`]
      : [];
  const texts = missing.filter(({ title }) => title !== "A published version");
  const count = missing.length === 1 ? "A required item is" : `${missing.length} required items are`;
  throw new Failure("INCOMPLETE_LISTING", `${app} can't be submitted yet. ${count} missing.`, {
    next: [...publish, ...texts.map(({ title, page }) => `${title}:  ${page}`)],
  });
}

export async function withdraw(context: CliContext, options: AppOptions): Promise<void> {
  const { terminal } = context;
  const app = await chooseApp(context, options);
  const { review } = await readStatus(app);
  // Withdrawn already: by an earlier attempt whose answer was lost.
  if (review?.state !== "PENDING" && review?.state !== "WITHDRAWN")
    throw new Failure("NOT_IN_REVIEW", `${app.name} is not in review, so there is nothing to withdraw.`, {
      next: ["platform-app status"],
    });
  if (review.state === "PENDING") await withdrawReview(app, review.id);
  terminal.data({ app: app.name, reviewId: review.id, version: review.version });
  const what = review.version === null ? "the listing's text" : `version ${review.version}`;
  terminal.result(`The review of ${what} of ${app.name} was withdrawn.`);
}

/**
 * The release notes of an option: a text, or the content of a file after an `@`. Throws a Failure for wrong usage.
 * @param flag the option's name
 */
export async function readNotes(flag: "--notes" | "--release-notes", value: string): Promise<string> {
  const checked = releaseNotesInput.safeParse({ notes: await readTextOption(flag, value) });
  if (checked.success) return checked.data.notes;
  const [issue] = checked.error.issues;
  throw new Failure("WRONG_USAGE", `${flag}: ${issue?.message ?? "This text can't be used."}`);
}
