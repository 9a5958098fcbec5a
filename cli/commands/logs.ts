import { z } from "zod";
import { type LogEntry, type LogLineView, logPage } from "@/lib/contract/insight/app-log";
import { appPath, chooseApp, type ChosenApp, readLog } from "../platform/apps-api";
import { followEvents, rememberShown } from "../platform/follow-events";
import type { CliContext, Terminal } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { describeClock, readSince, style } from "../terminal/format";
import type { AppOptions } from "../terminal/options";

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

/** A line of an app's log, or what happened to an instance. */
function describeEntry(entry: LogEntry, terminal: Pick<Terminal, "color">): string {
  const { dim, cyan, red } = style(terminal);
  const start = `${dim(describeClock(entry.at))} ${dim(entry.instanceId.slice(-4))}`;
  if (entry.kind === "event") {
    const reason = entry.reason === null ? "" : `: ${visible(entry.reason)}`;
    const paint = entry.event === "failed" || entry.event === "failing" ? red : cyan;
    return `${start} ${paint(`--- instance ${entry.event}${reason}`)}`;
  }
  const cut = entry.cutBytes === 0 ? "" : dim(` (${entry.cutBytes} more bytes)`);
  return `${start} ${describeLevel(entry, terminal)} ${visible(entry.text)}${cut}`;
}

function describeLevel({ level, stream }: LogLineView, terminal: Pick<Terminal, "color">): string {
  const { dim, red, yellow } = style(terminal);
  const word = (level ?? (stream === "stderr" ? "err" : stream === "platform" ? "note" : "out")).padEnd(5);
  if (level === "error") return red(word);
  if (level === "warn" || stream === "platform") return yellow(word);
  return dim(word);
}
