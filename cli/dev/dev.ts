/** `platform-app dev`: starts the emulator and the app, and ends everything with itself. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import { EXIT } from "@/lib/contract/cli-failures";
import type { Manifest } from "@/lib/contract/manifest";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { readManifestFile } from "../manifest/manifest-file";
import type { CliContext } from "../terminal/environment";
import { Failure, issueLines } from "../terminal/failure";
import { openBrowser } from "../terminal/open-browser";
import { answerApi, type Audience } from "./answer-api";
import { chooseRunner } from "./app/choose-runner";
import type { Runner } from "./app/runner";
import { watchFolder } from "./app/watch-folder";
import { startApp } from "./customers/launch-customers";
import type { Emulator } from "./emulator/emulator";
import { reloadManifest } from "./emulator/read-manifest";
import { Ending } from "./ending";
import { serve, type Exchange, type Serving } from "./http/serve";
import { closeEmulator, openEmulator } from "./open-emulator";
import { findRunning, noteRunning } from "./running-dev";
import { greet } from "./terminal/greet";
import { listenForKeys } from "./terminal/listen-for-keys";
import { createPrinter } from "./terminal/print-events";
import { runOnce } from "./terminal/run-once";

export interface DevOptions {
  manifest: string;
  port: string;
  container: boolean;
  file: string;
  buildArg?: string[];
  browser: boolean;
  once?: boolean;
  /** Of the command line. */
  version: string;
}

/** The manifest's file and its folder. */
interface App {
  folder: string;
  file: string;
  manifest: Manifest;
}

export async function dev(
  context: CliContext,
  command: readonly string[],
  options: DevOptions,
): Promise<void> {
  const { environment, terminal } = context;
  readPort(options.port);
  const { file, text } = await readManifestFile(options.manifest);
  const { manifest, issues } = checkManifest(text);
  const name = path.basename(file);
  if (manifest === undefined)
    throw new Failure("INVALID_MANIFEST", `${name} has errors. Fix them, then start again.`, { issues });
  for (const line of issueLines(issues, name)) terminal.note(line);
  const folder = await realpath(path.dirname(file));
  const other = await findRunning(environment.stateFolder, folder);
  if (other !== undefined)
    throw new Failure("WRONG_USAGE", `platform-app dev already runs for this folder, at ${other.url}.`);

  const ending = new Ending();
  try {
    await run(context, command, options, { folder, file, manifest }, ending);
  } finally {
    await ending.run();
  }
}

async function run(
  context: CliContext,
  command: readonly string[],
  options: DevOptions,
  app: App,
  ending: Ending,
): Promise<void> {
  const { environment, terminal } = context;
  const interrupted = listenForSignals(ending);
  const runner = await chooseRunner(context, app.folder, { ...options, command });
  ending.defer(() => runner.close());
  const emulator = await open(context, options, runner, app, ending);
  const { url } = emulator;
  ending.defer(await noteRunning(environment.stateFolder, app.folder, url));
  ending.defer(emulator.history.follow(createPrinter(terminal)));
  greet(context, emulator);
  if (options.once === true) {
    const isDone = await Promise.race([
      runOnce(context, emulator).then(() => true),
      interrupted.then(() => false),
    ]);
    if (isDone) return;
    throw new Failure("INTERRUPTED", "Interrupted before the drills were done.");
  }

  void startApp(emulator, "The first start.");
  ending.defer(watch(emulator));
  if (options.browser && terminal.interactive) openBrowser(url, environment.inherited);
  const keys = new AbortController();
  ending.defer(() => keys.abort());
  const quit = terminal.interactive
    ? listenForKeys(emulator, environment.inherited, keys.signal)
    : interrupted;
  await Promise.race([interrupted, quit]);
  terminal.note("Stopping the app…");
}

/** The listeners and the emulator. A container reaches a listener of its own, which serves nothing but what apps need. */
async function open(
  { environment }: CliContext,
  options: DevOptions,
  runner: Runner,
  { folder, file, manifest }: App,
  ending: Ending,
): Promise<Emulator> {
  // Listeners come first, because the emulator must know their ports.
  const late: { emulator?: Emulator } = {};
  const answerFor = (audience: Audience) => (exchange: Exchange) =>
    late.emulator && answerApi(late.emulator, audience, exchange);
  const { name, listen } = runner.host;
  const main = await listenOn("127.0.0.1", readPort(options.port), name, answerFor("everyone"));
  ending.defer(() => main.close());
  let appPort = main.port;
  if (listen !== "127.0.0.1") {
    const second = await listenOn(listen, main.port, name, answerFor("app"));
    ending.defer(() => second.close());
    appPort = second.port;
  }
  const url = `http://127.0.0.1:${main.port}`;
  const emulator = await openEmulator({
    ...{ folder, manifestFile: file, manifest, runner, url, version: options.version },
    appUrl: `http://${name}:${appPort}`,
    stateFolder: environment.stateFolder,
  });
  ending.defer(() => closeEmulator(emulator));
  late.emulator = emulator;
  return emulator;
}

/** At the port if it is free, otherwise at another one. */
async function listenOn(
  host: string,
  port: number,
  name: string,
  handle: Parameters<typeof serve>[1],
): Promise<Serving> {
  const hosts = [name, host];
  return serve({ host, port, hosts }, handle).catch(() => serve({ host, port: 0, hosts }, handle));
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Failure("WRONG_USAGE", `"${text}" is not a valid port. Use a number from 0 to 65535.`);
}

/** A change of the manifest alone needs no restart, unless it is in the image. */
function watch(emulator: Emulator): () => void {
  const { folder, manifestFile } = emulator;
  const manifestName = path.relative(folder, manifestFile);
  return watchFolder(folder, (files) => {
    const others = files.filter((each) => each !== manifestName);
    if (others.length < files.length) void reloadManifest(emulator);
    const [first] = others;
    if (first !== undefined) void startApp(emulator, `${first} changed.`);
  });
}

function listenForSignals(ending: Ending): Promise<void> {
  return new Promise((resolve) => {
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    let isEnding = false;
    const end = () => {
      // A second one doesn't wait for anything.
      if (isEnding) process.exit(EXIT.interrupted);
      isEnding = true;
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
    ending.defer(() => signals.forEach((signal) => process.off(signal, end)));
  });
}
