/** `platform-app dev`: starts the emulator and the app, and ends everything with itself. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { EXIT } from "@/lib/contract/surface/cli-failures";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { readManifestFile } from "../manifest/manifest-file";
import type { CliContext } from "../terminal/environment";
import { Failure, issueLines, visible } from "../terminal/failure";
import { openBrowser } from "../terminal/open-browser";
import { answerApi, type Audience } from "./answer-api";
import { chooseRunner } from "./app/choose-runner";
import type { Runner } from "./app/runner";
import { watchFolder } from "./app/watch-folder";
import type { DevCall } from "./contract/calls";
import { type DevDrill, DRILL_NAMES } from "./contract/drills";
import { fillInCustomer, startApp } from "./emulator/customers";
import type { Emulator } from "./emulator/emulator";
import { closeEmulator, openEmulator } from "./emulator/open-emulator";
import { listRoutes } from "./emulator/prepare-call";
import { runDrill } from "./emulator/run-drill";
import { callRoute } from "./emulator/send-call";
import { listCustomers, reloadManifest } from "./emulator/snapshot";
import { findRunning, noteRunning } from "./running-dev";
import { type Exchange, serve, type Serving } from "./serve";
import { createPrinter, greet, listenForKeys } from "./terminal";

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
  ending.defer(await noteRunning(environment.stateFolder, app.folder, url, terminal.note));
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
  { environment, terminal }: CliContext,
  options: DevOptions,
  runner: Runner,
  { folder, file, manifest }: App,
  ending: Ending,
): Promise<Emulator> {
  // Listeners come first, because the emulator must know their ports. Requests that arrive before it is open wait for it, such as
  // those of a page that reconnects after a restart.
  let opened: (emulator: Emulator) => void = () => undefined;
  const opening = new Promise<Emulator>((resolve) => (opened = resolve));
  const answerFor = (audience: Audience) => async (exchange: Exchange) =>
    answerApi(await opening, audience, exchange);
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
    folder,
    manifestFile: file,
    manifest,
    runner,
    url,
    version: options.version,
    appUrl: `http://${name}:${appPort}`,
    stateFolder: environment.stateFolder,
    note: terminal.note,
  });
  ending.defer(() => closeEmulator(emulator));
  opened(emulator);
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

// `platform-app dev --once`: everything that the emulator can check, for CI.

/** Throws if the app doesn't become ready, a call fails, or a drill fails. */
async function runOnce({ terminal }: CliContext, emulator: Emulator): Promise<void> {
  if (!(await startApp(emulator, "The first start."))) throw notReady(emulator);
  for (const { id, configured } of listCustomers(emulator))
    if (!configured) await fillInCustomer(emulator, id, "missing");
  const calls = await callEveryRoute(emulator);
  const hooks = emulator.history
    .calls()
    .filter(({ sender, failure }) => sender === "platform" && failure !== null);
  const drills: DevDrill[] = [];
  for (const name of DRILL_NAMES) drills.push(await runDrill(emulator, name));

  const failedCalls = [...hooks, ...calls].filter(({ failure }) => failure !== null);
  const failedDrills = drills.filter(({ state }) => state === "failed");
  const count = (state: DevDrill["state"]) => drills.filter((drill) => drill.state === state).length;
  const ok = failedCalls.length === 0 && failedDrills.length === 0;
  const counted = ["passed", "warned", "skipped", "failed"] as const;
  terminal.data({
    event: "done",
    ok,
    calls: calls.length,
    failedCalls: failedCalls.length,
    drills: Object.fromEntries(drills.map(({ name, state }) => [name, state])),
  });
  terminal.result(
    `${calls.length} calls, ${failedCalls.length} failed. Drills: ${counted.map((state) => `${count(state)} ${state}`).join(", ")}.`,
  );
  if (ok) return;
  const next = [
    ...failedCalls.map(({ request, customerName, failure }) =>
      visible(`${request.method} ${request.path} for ${customerName}: ${failure ?? ""}`),
    ),
    ...failedDrills.map(({ name, verdict }) => visible(`${name}: ${verdict ?? ""}`)),
  ];
  const code = failedDrills.length > 0 ? "DRILL_FAILED" : "CALL_FAILED";
  throw new Failure(code, "The app isn't ready to be published.", { next });
}

/** For two customers. Lifecycle hooks have been sent at the start, and endpoints are called by others. */
async function callEveryRoute(emulator: Emulator): Promise<DevCall[]> {
  const calls: DevCall[] = [];
  const customers = emulator.customers.list().slice(0, 2);
  const routes = listRoutes(emulator.manifest).filter(
    ({ kind }) => kind !== "lifecycle" && kind !== "endpoint",
  );
  for (const { route } of routes)
    for (const { id } of customers) calls.push(await callRoute(emulator, { customerId: id, route }));
  return calls;
}

function notReady({ app }: Emulator): Failure {
  const { exit } = app.status;
  return new Failure("APP_NOT_READY", exit?.reason ?? "The app didn't become ready.", {
    next: exit === null ? [] : [exit.nextStep, ...exit.logTail.split("\n").filter((line) => line !== "")],
  });
}

/** What must be ended with the command, in reverse order. One that fails keeps none of the others from ending. */
export class Ending {
  private readonly steps: (() => unknown)[] = [];

  defer(step: () => unknown): void {
    this.steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.steps.splice(0).reverse())
      await Promise.resolve()
        .then(step)
        .catch(() => undefined);
  }
}
