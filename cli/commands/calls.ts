import { z } from "zod";
import { callRow, type CallRow, type CallView } from "@/lib/contract/insight/call";
import { parsePayload } from "@/lib/contract/platform/problem";
import { nameTest } from "@/lib/domain/calls/installation";
import { formatText } from "@/lib/domain/platform/json-text/text-format";
import { appPath, chooseApp, type ChosenApp, listCalls, readCall } from "../platform/apps-api";
import { followEvents, rememberShown } from "../platform/follow-events";
import type { CliContext, Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import {
  alignRows,
  type Cell,
  describeAge,
  describeClock,
  readSince,
  type Row,
  style,
} from "../terminal/format";
import type { AppOptions } from "../terminal/options";

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
  const { calls, position, isCut } = await readCalls(app, filter, most);
  const isNew = rememberShown();
  // A call in progress is shown when it ends.
  const isShown = ({ durationMs, id }: CallRow) => (follows !== true || durationMs !== null) && isNew(id);
  if (isCut) terminal.note("Older calls are not shown. To show more, use --lines or --since.");
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
  const isCut = calls.length > most || before !== undefined;
  return { calls: calls.slice(0, most).toReversed(), position: first.position, isCut };
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

export async function showCall(context: CliContext, id: string, options: AppOptions): Promise<void> {
  const { terminal } = context;
  const call = await readCall(await chooseApp(context, options), id);
  terminal.data(call);
  const { bold, dim } = style(terminal);
  const { text, paint = (plain) => plain } = describeResult(call, terminal);
  terminal.result(`${bold(visible(call.target))}  ${paint(text)}  ${dim(call.id)}`);
  const rows = listFacts(call).map(([name, value]): Row => [{ text: name, paint: dim }, value]);
  for (const line of alignRows(rows)) terminal.result(`  ${line}`);
  printTries(call, terminal);
  printBody("Payload", call.payload, call, terminal);
  printBody("Response", call.answer, call, terminal);
  if (call.delivery?.state === "DEAD") terminal.note(`Send it again:  platform-app replay ${call.id}`);
}

function listFacts(call: CallView): [string, string][] {
  const { installation, failure, fault, eventType, durationMs, stateReads, stateRevision, event } = call;
  const reads = stateReads === 0 ? "not read" : `read ${stateReads}×, revision ${stateRevision ?? "unknown"}`;
  const facts: [string, string | null][] = [
    ["Failure", failure === null ? null : visible(failure)],
    ["Code", fault],
    ["Started", `${call.startedAt} (${describeAge(call.startedAt)})`],
    ["Took", durationMs === null ? "in progress" : `${durationMs} ms`],
    ["Event", eventType === null ? null : visible(eventType)],
    ["Event ID", event?.coreId === undefined ? null : visible(event.coreId)],
    ["Installation", [visible(installation.tenantName), nameTest(installation) ?? []].flat().join(", ")],
    ["State", reads],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

function printTries({ delivery }: CallView, terminal: Terminal): void {
  if (delivery === null) return;
  const { dim } = style(terminal);
  terminal.result("");
  terminal.result(
    `Delivery ${delivery.id}: ${delivery.state.toLowerCase()} after ${delivery.attemptCount} ${delivery.attemptCount === 1 ? "attempt" : "attempts"}`,
  );
  const rows = delivery.attempts.map((attempt): Row => {
    const { text, paint } = describeResult({ ...attempt, delivery: null }, terminal);
    return [
      { text: describeAge(attempt.startedAt), paint: dim },
      { text, paint },
      visible(attempt.failure ?? ""),
      { text: attempt.id, paint: dim },
    ];
  });
  for (const line of alignRows(rows)) terminal.result(`  ${line}`);
}

function printBody(name: string, body: string | null, { recorded }: CallView, terminal: Terminal): void {
  terminal.result("");
  if (body === null) return terminal.result(`${name}: ${recorded ? "none" : "not recorded"}`);
  terminal.result(`${name}:`);
  for (const line of indent(body).split("\n")) terminal.result(`  ${visible(line)}`);
}

/** JSON is easier to read over several lines, with its numbers and members as they were sent. Other texts stay as they are. */
function indent(body: string): string {
  return parsePayload(body) === undefined ? body : formatText(body);
}

type Result = Pick<CallRow, "status" | "failure" | "durationMs"> & { delivery: { state: string } | null };

/** How a call ended, in a word. */
function describeResult(
  { status, failure, durationMs, delivery }: Result,
  terminal: Pick<Terminal, "color">,
): Cell {
  const { red, green, yellow, dim } = style(terminal);
  if (failure !== null) {
    const text = delivery?.state === "DEAD" ? "dead" : status === null ? "failed" : String(status);
    return { text, paint: delivery?.state === "PENDING" ? yellow : red };
  }
  if (durationMs === null) return { text: "open", paint: dim };
  return { text: status === null ? "ok" : String(status), paint: green };
}
