import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import type { AppStatus } from "@/lib/contract/own-app";
import { readStatus, submitVersion, withdrawReview } from "../platform/apps-api";
import type { AppOptions } from "../manifest/app-options";
import { chooseApp } from "../manifest/choose-app";
import { readNotes } from "../publish/release-notes";
import type { CliContext } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { style } from "../terminal/style";
import { alignRows, type Row } from "../terminal/table";

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
  const releaseNotes = notes === undefined ? undefined : await readNotes(notes);
  const app = await chooseApp(context, options);
  const status = await readStatus(app);
  requireComplete(status);
  const submitted = await submitVersion(app, { version, note, older, releaseNotes });
  terminal.data({ app: app.name, ...submitted });
  const { dim, green } = style(terminal);
  terminal.result(`${green("✓")} Version ${submitted.version} of ${app.name} was submitted for review.`);
  terminal.result(`  ${submitted.page}`);
  const open = status.checklist.filter(({ done }) => !done);
  if (open.length > 0) {
    terminal.note("These items are missing. Moderators often ask for them:");
    const rows = open.map(({ title, page }): Row => [title, { text: page, paint: dim }]);
    for (const line of alignRows(rows)) terminal.note(`  ${line}`);
  }
  terminal.note("See the decision:  platform-app status");
}

/** Names everything that is missing, and where to add it. */
function requireComplete({ app, checklist, newest }: AppStatus): void {
  const missing = checklist.filter(({ done, required }) => required && !done);
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
  if (review?.state !== "PENDING")
    throw new Failure("NOT_IN_REVIEW", `${app.name} is not in review, so there is nothing to withdraw.`, {
      next: ["platform-app status"],
    });
  await withdrawReview(app, review.id);
  terminal.data({ app: app.name, reviewId: review.id, version: review.version });
  const what = review.version === null ? "the listing's text" : `version ${review.version}`;
  terminal.result(`The review of ${what} of ${app.name} was withdrawn.`);
}
