import { type Command, InvalidArgumentError } from "commander";
import { LOG_LEVELS } from "@/lib/contract/app-log";
import { addAppOptions, type AppOptions } from "../manifest/app-options";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { CallsOptions } from "./show-calls";
import type { LogsOptions } from "./show-logs";
import type { ReplayOptions } from "./replay";

const SINCE = "from this time on: 30s, 10m, 2h, 7d, or a time such as 2026-01-31T12:00:00Z";

export function addCallsCommands(program: Command, context: CliContext): void {
  const logs = addAppOptions(
    program
      .command("logs")
      .description("Show what an app's instances wrote, oldest first.")
      .option("-f, --follow", "keep showing new entries until Ctrl-C")
      .option("--since <time>", SINCE)
      .option("-n, --lines <number>", "how many entries, 100 by default", readCount)
      .option("--version <number>", "version of the app; by default, the one that wrote last")
      .option("--level <level>", `only this level: ${LOG_LEVELS.join(", ")}`, readLevel)
      .option("--search <text>", "only lines that contain this text"),
  ).action(async (options: LogsOptions) => (await import("./show-logs")).showLogs(context, options));
  withExamples(logs, [
    "platform-app logs -f",
    "platform-app logs --since 10m --level error",
    "platform-app logs --version 1.4.0 --search timeout --json",
  ]);
  const calls = program
    .command("calls")
    .description("List calls to your own installations of an app, such as Test Launches.");
  const list = addAppOptions(
    calls
      .command("list", { isDefault: true })
      .description("List calls, the newest last.")
      .option("-f, --follow", "keep showing calls as they end, until Ctrl-C")
      .option("--since <time>", SINCE)
      .option("-n, --lines <number>", "how many calls, 50 by default", readCount)
      .option("--failed", "only calls that failed")
      .option("--dead", "only deliveries that are not retried anymore")
      .option("--event <type>", "only this event type or operation, or those that begin with it"),
  ).action(async (options: CallsOptions) => (await import("./show-calls")).showCalls(context, options));
  withExamples(list, ["platform-app calls --failed --since 1h", "platform-app calls list -f --json"]);
  const show = addAppOptions(
    calls
      .command("show")
      .description("Show one call, with its payload, response and tries.")
      .argument("<id>", "ID of the call, as `platform-app calls` lists it"),
  ).action(async (id: string, options: AppOptions) =>
    (await import("./show-call")).showCall(context, id, options),
  );
  withExamples(show, ["platform-app calls show 019ab0c1-7e2d-7000-8000-000000000001"]);
  const replay = addAppOptions(
    program
      .command("replay")
      .description("Send failed deliveries to your Test Launches again.")
      .argument("[id...]", "IDs of calls or deliveries")
      .option("--all", "every dead delivery that the other options show")
      .option("--since <time>", `with --all: ${SINCE}`)
      .option("--event <type>", "with --all: only this event type, or those that begin with it")
      .option("--path <path>", "with --all: only this path of the manifest")
      .option("--delivered", "send a delivery again although the app accepted it"),
  ).action(async (ids: string[], options: ReplayOptions) =>
    (await import("./replay")).replayDeliveries(context, ids, options),
  );
  withExamples(replay, [
    "platform-app replay 019ab0c1-7e2d-7000-8000-000000000001",
    "platform-app replay --all --since 1h --event policy.issued",
  ]);
}

function readCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= 10_000) return count;
  throw new InvalidArgumentError("Use a number from 1 to 10000.");
}

function readLevel(text: string): string {
  if (LOG_LEVELS.some((level) => level === text)) return text;
  throw new InvalidArgumentError(`Use one of ${LOG_LEVELS.join(", ")}.`);
}
