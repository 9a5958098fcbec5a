/** `platform-app dev`: starts the emulator and the app, and ends everything with itself. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import { emitKeypressEvents } from "node:readline";
import { EXIT } from "@/lib/contract/cli-failures";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { readManifestFile } from "../manifest/manifest-file";
import type { CliContext } from "../terminal/environment";
import { Failure, issueLines, visible } from "../terminal/failure";
import { style } from "../terminal/style";
import { createApi } from "./answer-api";
import type { Runner } from "./app/runner";
import { watchFolder } from "./app/watch-folder";
import { chooseRunner } from "./choose-runner";
import { createEmulator, type Emulator } from "./emulator";
import { serve, type Serving } from "./http/serve";
import { openBrowser } from "../terminal/open-browser";
import { createPrinter } from "./print-events";
import { runOnce } from "./run-once";
import { Ending } from "./ending";
import { findRunning, noteRunning } from "./running-dev";

export interface DevOptions {
  manifest: string;
  port: string;
  container: boolean;
  file: string;
  buildArg: string[];
  browser: boolean;
  once?: boolean;
  /** Of the command line. */
  version: string;
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
  const { folder, file } = app;
  const interrupted = listenForSignals(ending);
  const runner = await chooseRunner(context, folder, { ...options, command });
  ending.defer(() => runner.close());
  const { emulator, url } = await open(context, options, runner, app, ending);
  ending.defer(await noteRunning(environment.stateFolder, folder, url));
  ending.defer(emulator.history.follow(createPrinter(terminal)));
  greet(context, emulator, url);
  if (options.once === true) {
    const isDone = await Promise.race([
      runOnce(context, emulator).then(() => true),
      interrupted.then(() => false),
    ]);
    if (isDone) return;
    throw new Failure("INTERRUPTED", "Interrupted before the drills were done.");
  }

  void emulator.start("The first start.");
  ending.defer(watch(emulator, folder, file));
  if (options.browser && terminal.interactive) openBrowser(url, environment.inherited);
  const quit = terminal.interactive
    ? listenForKeys(emulator, url, context, ending)
    : new Promise<void>(() => {});
  await Promise.race([interrupted, quit]);
  terminal.note("Stopping the app…");
}

interface App {
  folder: string;
  file: string;
  manifest: NonNullable<ReturnType<typeof checkManifest>["manifest"]>;
}

/** The listeners and the emulator. A container reaches a listener of its own, which serves nothing but what apps need. */
async function open(
  { environment }: CliContext,
  options: DevOptions,
  runner: Runner,
  { folder, file, manifest }: App,
  ending: Ending,
): Promise<{ emulator: Emulator; url: string }> {
  // Listeners come first, because the emulator must know their ports.
  const late: { api?: ReturnType<typeof createApi> } = {};
  const { name, listen } = runner.host;
  const main = await listenOn("127.0.0.1", readPort(options.port), name, (exchange) =>
    late.api?.("everyone", exchange),
  );
  ending.defer(() => main.close());
  let appPort = main.port;
  if (listen !== "127.0.0.1") {
    const second = await listenOn(listen, main.port, name, (exchange) => late.api?.("app", exchange));
    ending.defer(() => second.close());
    appPort = second.port;
  }
  const url = `http://127.0.0.1:${main.port}`;
  const emulator = await createEmulator({
    ...{ folder, manifestFile: file, manifest, runner, url, version: options.version },
    appUrl: `http://${name}:${appPort}`,
    stateFolder: environment.stateFolder,
  });
  ending.defer(() => emulator.close());
  late.api = createApi(emulator);
  return { emulator, url };
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

function greet({ terminal }: CliContext, emulator: Emulator, url: string): void {
  const { bold, dim } = style(terminal);
  const { manifest, customers, answersFile, stateApi } = emulator.snapshot();
  terminal.data({ event: "started", url, stateApi, answersFile });
  const names = customers.map((customer) => customer.name).join(", ");
  terminal.result(`${bold(visible(manifest.name))} ${manifest.version} at ${bold(url)}`);
  terminal.result(dim(`Customers: ${visible(names)}. Their answers are made up; change them on the page.`));
  terminal.result(
    dim(`Answers, with secrets, are kept in ${visible(answersFile)}, which only you can read.`),
  );
  const [route] = manifest.routes;
  if (route !== undefined)
    terminal.result(dim(`Send a call from another terminal: platform-app call ${visible(route.path)}`));
  if (terminal.interactive) terminal.result(dim("Press r to restart, o to open the page, q to quit."));
}

/** A change of the manifest alone needs no restart, unless it is in the image. */
function watch(emulator: Emulator, folder: string, file: string): () => void {
  const manifestName = path.relative(folder, file);
  return watchFolder(folder, (files) => {
    const others = files.filter((each) => each !== manifestName);
    if (others.length < files.length) void emulator.reload();
    const [first] = others;
    if (first !== undefined) void emulator.start(`${first} changed.`);
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

/** Resolves when the user quits. */
function listenForKeys(
  emulator: Emulator,
  url: string,
  { environment }: CliContext,
  ending: Ending,
): Promise<void> {
  return new Promise((resolve) => {
    const { stdin } = process;
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.resume();
    const onKey = (_text: string | undefined, key: { name?: string; ctrl?: boolean }) => {
      if (key.name === "q" || (key.ctrl === true && key.name === "c")) resolve();
      if (key.name === "r") void emulator.start("Restarted by hand.");
      if (key.name === "o") openBrowser(url, environment.inherited);
    };
    stdin.on("keypress", onKey);
    ending.defer(() => {
      stdin.off("keypress", onKey);
      stdin.setRawMode(false);
      stdin.pause();
    });
  });
}
