import type { CallView } from "@/lib/contract/call-view";
import { readCall } from "../platform/apps-api";
import type { AppOptions } from "../manifest/app-options";
import { chooseApp } from "../manifest/choose-app";
import type { CliContext, Terminal } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { style } from "../terminal/style";
import { alignRows, type Row } from "../terminal/table";
import { describeAge } from "../terminal/times";
import { describeResult } from "./describe-result";

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
    ["Installation", `${visible(installation.tenantName)}${installation.test ? ", Test Launch" : ""}`],
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

/** JSON is easier to read over several lines. Other texts stay as they are. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
