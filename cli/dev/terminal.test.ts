/** `platform-app dev` in a pseudo-terminal: its keys, and what is left when it ends. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Running, start } from "@/tests/cli/person";

const ROOT = path.join(import.meta.dirname, "../..");
/** The bundle, which the set-up of the tests builds. */
const PROGRAM = path.join(ROOT, "cli/dist/platform-app.js");
const CTRL_C = "\u0003";

const hasScript = await promisify(execFile)("script", ["--version"]).then(
  ({ stdout }) => stdout.includes("util-linux"),
  () => false,
);

interface RunningDev extends Running {
  /** What the browser was asked to open. */
  opened: () => Promise<string | undefined>;
}

/** Resolves once the app is ready. After the end, the terminal prints the exit status and its settings. */
async function startDev(): Promise<RunningDev> {
  const root = await mkdtemp(path.join(tmpdir(), "dev-keys-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = path.join(root, "app");
  await cp(path.join(ROOT, "examples/vin-autofill"), folder, { recursive: true });
  const [bin, opened] = [path.join(root, "bin"), path.join(root, "opened")];
  await mkdir(bin);
  await writeFile(path.join(bin, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`, { mode: 0o755 });
  const environment = {
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}`,
    HOME: root,
    DISPLAY: ":99",
  };
  const command = `"${process.execPath}" "${PROGRAM}" dev --port 0 --no-browser -- node server.mjs`;
  const shown = `sh -c '${command}; echo "status $?"; stty -a'`;
  const dev = start({ folder, environment, hasTerminal: true }, shown);
  let isRunning = true;
  const ended = dev.finished.then(() => (isRunning = false));
  onTestFinished(async () => {
    if (isRunning) dev.type("q");
    await ended;
  });
  await dev.waitFor(/The app is ready on port \d+/);
  return { ...dev, opened: () => readFile(opened, "utf8").catch(() => undefined) };
}

/** The ports on which the app became ready, in order. */
const listPorts = (dev: Running) =>
  [...dev.read().matchAll(/The app is ready on port (\d+)/g)].map(([, port]) => port);
const answers = (port: string | undefined) =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );

describe.skipIf(!hasScript)("in a terminal", { timeout: 120_000 }, () => {
  // Guarantee: both ways to quit end the app with the emulator, and give the terminal back as it was.
  test.each([
    ["q", "q"],
    ["Ctrl+C", CTRL_C],
  ])("%s ends the emulator and the app", async (_name, key) => {
    const dev = await startDev();
    const [port] = listPorts(dev);
    expect(await answers(port)).toBe(true);
    dev.type(key);
    const { text } = await dev.finished;
    expect(text).toContain("core.hosts is not enforced on this computer");
    expect(text).toContain("Stopping the app…");
    expect(text).toContain("status 0");
    expect(text).toMatch(/[^-]icanon/);
    expect(await answers(port)).toBe(false);
  });

  test("r starts the app again", async () => {
    const dev = await startDev();
    dev.type("r");
    await dev.waitFor(/Restarted by hand\.[^]*The app is ready on port \d+/);
    const [before, after] = listPorts(dev);
    expect(await answers(after)).toBe(true);
    if (before !== after) expect(await answers(before)).toBe(false);
  });

  test("o opens the page", async () => {
    const dev = await startDev();
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(dev.read())?.[0];
    expect(await dev.opened()).toBeUndefined();
    dev.type("o");
    await expect.poll(dev.opened).toBe(url);
    expect((await fetch(url ?? "")).status).toBe(200);
  });
});
