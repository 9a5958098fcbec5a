/** For tests: the emulator with a real app, run as a process. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect } from "vitest";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { answerApi } from "./answer-api";
import { processRunner } from "./app/runner";
import { Ending } from "./dev";
import { startApp } from "./emulator/customers";
import type { Emulator } from "./emulator/emulator";
import { closeEmulator, openEmulator } from "./emulator/open-emulator";
import { serve } from "./serve";

const endings: Ending[] = [];
afterAll(async () => {
  await Promise.all(endings.map((ending) => ending.run()));
});

export interface RunningDev {
  emulator: Emulator;
  url: string;
  folder: string;
  customers: string[];
}

/** @param fill writes the app, with its manifest, into a folder */
export async function startDev(fill: (folder: string) => Promise<void>): Promise<RunningDev> {
  const ending = new Ending();
  endings.push(ending);
  const base = await mkdtemp(path.join(tmpdir(), "dev-"));
  ending.defer(() => rm(base, { recursive: true, force: true }));
  const folder = path.join(base, "app");
  await fill(folder);
  const manifestFile = path.join(folder, "platform-app.json");
  const { manifest } = checkManifest(await readFile(manifestFile, "utf8"));
  if (manifest === undefined) throw new Error("the manifest is not valid");
  const late: { emulator?: Emulator } = {};
  const serving = await serve(
    { host: "127.0.0.1", port: 0 },
    (exchange) => late.emulator && answerApi(late.emulator, "everyone", exchange),
  );
  ending.defer(() => serving.close());
  const url = `http://127.0.0.1:${serving.port}`;
  const runner = processRunner(["node", "server.mjs"], folder, { PATH: path.dirname(process.execPath) });
  const stateFolder = path.join(base, "state");
  const options = { folder, manifestFile, manifest, runner, url, appUrl: url, stateFolder, version: "1.0.0" };
  const emulator = await openEmulator(options);
  ending.defer(() => closeEmulator(emulator));
  late.emulator = emulator;
  expect(await startApp(emulator, "The first start.")).toBe(true);
  return { emulator, url, folder, customers: emulator.customers.list().map(({ id }) => id) };
}
