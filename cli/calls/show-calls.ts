import { z } from "zod";
import { callRow, type CallRow } from "@/lib/contract/call-log";
import { appPath, listCalls, type ChosenApp } from "../platform/apps-api";
import type { AppOptions } from "../manifest/app-options";
import { chooseApp } from "../manifest/choose-app";
import { followEvents } from "../platform/follow-events";
import type { CliContext, Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { style } from "../terminal/style";
import { alignRows, type Row } from "../terminal/table";
import { describeAge, describeClock, readSince } from "../terminal/times";
import { describeResult } from "./describe-result";
import { rememberShown } from "./remember-shown";

export interface CallsOptions extends AppOptions {
  follow?: boolean;
  since?: string;
  lines?: number;
  failed?: boolean;
  dead?: boolean;
  event?: string;
}

const LINES = 50;
const MOST = 10_000;

const changes = z.object({ calls: z.array(callRow), more: z.boolean() });

export async function showCalls(context: CliContext, options: CallsOptions): Promise<void> {
  const { terminal } = context;
  const { since, lines, failed, dead, event, follow: follows } = options;
  if (dead === true && follows === true)
    throw new Failure(
      "WRONG_USAGE",
      "--dead can't be combined with --follow. Use --failed --follow instead.",
    );
  const state = dead === true ? "dead" : failed === true ? "failed" : undefined;
  const from = since === undefined ? undefined : readSince(since);
  const app = await chooseApp(context, options);
  const filter = { state, event, from };
  const most = lines ?? (from === undefined ? LINES : MOST);
  const { calls, position } = await readCalls(app, filter, most);
  const isNew = rememberShown();
  // A call in progress is shown when it ends.
  const isShown = ({ durationMs, id }: CallRow) => (follows !== true || durationMs !== null) && isNew(id);
  printCalls(calls.filter(isShown), terminal, describeAge);
  if (follows === true) {
    terminal.note(`Following calls of ${app.name}. Press Ctrl-C to stop.`);
    const show = (found: readonly CallRow[]) => printCalls(found.filter(isShown), terminal, describeClock);
    return follow(context, app, filter, position, show);
  }
  if (calls.length === 0)
    terminal.note("No calls match. Only customers can see the calls to their own installations.");
}

async function follow(
  { environment, terminal }: CliContext,
  app: ChosenApp,
  filter: object,
  after: string | undefined,
  show: (calls: readonly CallRow[]) => void,
): Promise<void> {
  let newest = Date.now();
  const events = followEvents(app.credentials, {
    path: appPath(app, "calls/stream", filter),
    after,
    retryMs: environment.uploadRetryMs,
    onBreak: () => terminal.note("Connection lost. Reconnecting…"),
  });
  for await (const { event, data } of events) {
    if (event === "changes") {
      const { calls, more } = changes.parse(data);
      // So many ended that the stream left them out. A call can take two minutes.
      const from = new Date(newest - 120_000).toISOString();
      show(more ? (await readCalls(app, { ...filter, from }, MOST)).calls : calls.toReversed());
    }
    newest = Date.now();
  }
}

/** The newest calls, oldest first. */
async function readCalls(app: ChosenApp, filter: object, most: number) {
  const first = await listCalls(app, filter);
  const calls = [...first.calls];
  let before = first.next;
  while (before !== undefined && calls.length < most) {
    const page = await listCalls(app, { ...filter, before });
    calls.push(...page.calls);
    before = page.next;
  }
  return { calls: calls.slice(0, most).toReversed(), position: first.position };
}

function printCalls(
  calls: readonly CallRow[],
  terminal: Terminal,
  describeTime: (moment: string) => string,
): void {
  const { dim, red } = style(terminal);
  for (const row of calls) terminal.data(row);
  const lines = alignRows(
    calls.map((row): Row => {
      const { text, paint } = describeResult(row, terminal);
      return [
        { text: describeTime(row.at), paint: dim },
        { text: text.padEnd(5), paint },
        { text: row.durationMs === null ? "" : `${row.durationMs} ms`.padStart(8), right: true },
        row.kind,
        visible(row.target),
        visible(row.eventType ?? ""),
        visible(row.installation.tenant),
        { text: row.id, paint: dim },
      ];
    }),
  );
  calls.forEach(({ failure }, index) => {
    terminal.result(lines[index] ?? "");
    if (failure !== null) terminal.result(`    ${red(visible(failure))}`);
  });
}
