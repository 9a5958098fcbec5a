import { z } from "zod";
import { logPage, type LogEntry } from "@/lib/contract/log-view";
import { appPath, readLog, type ChosenApp } from "../platform/apps-api";
import type { AppOptions } from "../manifest/app-options";
import { chooseApp } from "../manifest/choose-app";
import { followEvents } from "../platform/follow-events";
import type { CliContext, Terminal } from "../terminal/environment";
import { readSince } from "../terminal/times";
import { describeEntry } from "./describe-entry";
import { rememberShown } from "./remember-shown";

export interface LogsOptions extends AppOptions {
  follow?: boolean;
  since?: string;
  lines?: number;
  version?: string;
  level?: string;
  search?: string;
}

const LINES = 100;
/** With `--since`, so that a command ends. */
const MOST = 10_000;

const changes = z.object({ entries: logPage.shape.entries, more: z.boolean() });

export async function showLogs(context: CliContext, options: LogsOptions): Promise<void> {
  const { terminal } = context;
  const { since, lines, version, level, search } = options;
  const from = since === undefined ? undefined : readSince(since);
  const app = await chooseApp(context, options);
  const filter = { version, level, q: search, from };
  const most = lines ?? (from === undefined ? LINES : MOST);
  const first = await readEntries(app, filter, most);
  if (first.version === null) {
    terminal.note(`${app.name} has no versions yet. Publish one:  platform-app publish --build .`);
    return;
  }
  const isNew = rememberShown();
  const show = (entries: readonly LogEntry[]) => {
    for (const entry of entries.filter(({ id }) => isNew(id))) showEntry(entry, first.version, terminal);
  };
  if (first.isCut) terminal.note("Older entries are not shown. To show more, use --lines or --since.");
  show(first.entries);
  if (options.follow === true) {
    terminal.note(`Following version ${first.version} of ${app.name}. Press Ctrl-C to stop.`);
    return follow(context, app, { ...filter, version: first.version }, first.position, show);
  }
  if (first.entries.length === 0) terminal.note(`No entries of version ${first.version} match.`);
}

async function follow(
  { environment, terminal }: CliContext,
  app: ChosenApp,
  filter: object,
  after: string | undefined,
  show: (entries: readonly LogEntry[]) => void,
): Promise<void> {
  let newest = new Date().toISOString();
  const events = followEvents(app.credentials, {
    path: appPath(app, "log/stream", filter),
    after,
    retryMs: environment.uploadRetryMs,
    onBreak: () => terminal.note("Connection lost. Reconnecting…"),
  });
  for await (const { event, data } of events) {
    if (event !== "changes") continue;
    const { entries, more } = changes.parse(data);
    // So much was written that the stream left it out. Lines of several instances overlap, so a minute is read again.
    const from = new Date(Date.parse(newest) - 60_000).toISOString();
    show(more ? (await readEntries(app, { ...filter, from }, MOST)).entries : entries);
    newest = entries.at(-1)?.at ?? newest;
  }
}

/** The newest entries, oldest first. */
async function readEntries(app: ChosenApp, filter: object, most: number) {
  const first = await readLog(app, filter);
  const pages = [first.entries];
  let count = first.entries.length;
  let before = first.next;
  while (before !== undefined && count < most) {
    const page = await readLog(app, { ...filter, version: first.version ?? undefined, before });
    pages.unshift(page.entries);
    count += page.entries.length;
    before = page.next;
  }
  const isCut = count > most || before !== undefined;
  return { version: first.version, position: first.position, entries: pages.flat().slice(-most), isCut };
}

function showEntry(entry: LogEntry, version: string | null, terminal: Terminal): void {
  terminal.data({ version, ...entry });
  terminal.result(describeEntry(entry, terminal));
}
