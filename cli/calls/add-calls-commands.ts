import { type Command, InvalidArgumentError } from "commander";
import { LOG_LEVELS } from "@/lib/contract/app-log";
import { addAppOptions, type AppOptions } from "../manifest/app-options";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { CallsOptions } from "./show-calls";
import type { LogsOptions } from "./show-logs";
import type { ReplayOptions } from "./replay";

const SINCE = "start at this time: 30s, 10m, 2h or 7d ago, or a time such as 2026-01-31T12:00:00Z";

export function addCallsCommands(program: Command, context: CliContext): void {
  const logs = addAppOptions(
    program
      .command("logs")
      .description("Show an app's log, oldest entries first.")
      .option("-f, --follow", "keep showing new entries until Ctrl-C")
      .option("--since <time>", SINCE)
      .option(
        "-n, --lines <number>",
        "number of entries to show (default: 100, or 10000 with --since)",
        readCount,
      )
      .option("--version <number>", "version of the app (default: the one that logged last)")
      .option("--level <level>", `only entries of this level: ${LOG_LEVELS.join(", ")}`, readLevel)
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
      .description("List calls, newest last.")
      .option("-f, --follow", "keep showing calls as they finish, until Ctrl-C")
      .option("--since <time>", SINCE)
      .option(
        "-n, --lines <number>",
        "number of calls to show (default: 50, or 10000 with --since)",
        readCount,
      )
      .option("--failed", "only calls that failed")
      .option("--dead", "only deliveries that are no longer retried")
      .option("--event <type>", "only event types and operations that start with this text"),
  ).action(async (options: CallsOptions) => (await import("./show-calls")).showCalls(context, options));
  withExamples(list, ["platform-app calls --failed --since 1h", "platform-app calls list -f --json"]);
  const show = addAppOptions(
    calls
      .command("show")
      .description("Show one call, with its payload, response and attempts.")
      .argument("<id>", "ID of the call, from `platform-app calls`"),
  ).action(async (id: string, options: AppOptions) =>
    (await import("./show-call")).showCall(context, id, options),
  );
  withExamples(show, ["platform-app calls show 019ab0c1-7e2d-7000-8000-000000000001"]);
  const replay = addAppOptions(
    program
      .command("replay")
      .description("Resend dead deliveries to your Test Launches.")
      .argument("[id...]", "IDs of calls or deliveries")
      .option("--all", "all dead deliveries that match the other options")
      .option("--since <time>", `with --all: ${SINCE}`)
      .option("--event <type>", "with --all: only event types that start with this text")
      .option("--path <path>", "with --all: only deliveries to this path in the manifest")
      .option("--delivered", "also resend deliveries that the app has accepted"),
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
