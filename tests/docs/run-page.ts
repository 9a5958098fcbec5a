/** Runs the `sh run` fences of a page in their order, and compares what they print with the `text output` fences. */
import path from "node:path";
import { listFences, type Document, type FenceBlock } from "./read-documents";
import type { Ran, Shell } from "./shell";

export interface RunOptions {
  shell: Shell;
  /** An empty folder of the page. */
  folder: string;
  hasEngine: boolean;
}

export interface PageRun {
  fences: number;
  /** Fences that need a container engine, on a machine without one. */
  skipped: number;
  /** Each names its file and line. */
  failures: string[];
}

/** The app that fences with `in=app` are run in. */
const APP = "vin-lookup";
const CREATE_APP = `platform-app init ${APP} --template node --name acme/${APP} --yes`;
/** Its reader has changed something since the last publication. */
const CHANGE_APP = "echo >> autofill.mjs";
const START_DEV = "platform-app dev";
const READY = "http://127.0.0.1";

/** For commands that run the image, which needs a real base then. Others are faster without. */
const RUNS_APP = { DOCS_RUNS_APP: "1" };

/** Ends at the first failure, because later commands usually need earlier ones. */
export async function runPage(document: Document, options: RunOptions): Promise<PageRun> {
  const { shell } = options;
  const run: PageRun = { fences: 0, skipped: 0, failures: [] };
  const ready = { app: false, dev: false };
  let last: Ran | undefined;
  for (const block of listFences(document)) {
    const { fence, code, line } = block;
    const isOutput = fence.language === "text" && fence.words[0] === "output";
    if (isOutput && last !== undefined && !matchesOutput(code, last.output))
      run.failures.push(`${document.file}:${line} printed instead:\n${last.output}`);
    if (fence.language !== "sh" || !fence.words.includes("run")) continue;
    if (fence.words.includes("engine") && !options.hasEngine) {
      run.skipped += 1;
      last = undefined;
      continue;
    }
    await prepare(block, options, ready);
    if (fence.words.includes("changed")) await shell.run(CHANGE_APP);
    last = await runFence(block, options);
    run.fences += 1;
    const wanted = Number(fence.attributes.exit ?? 0);
    if (last.status === wanted) continue;
    run.failures.push(
      `${document.file}:${line} ended with ${last.status} instead of ${wanted}:\n${code}\n${last.output}`,
    );
    return run;
  }
  return run;
}

async function prepare(
  { fence: { attributes } }: FenceBlock,
  { shell, folder }: RunOptions,
  ready: { app: boolean; dev: boolean },
): Promise<void> {
  if (attributes.in === "app" && !ready.app) {
    await shell.enter(folder);
    const created = await shell.run(CREATE_APP);
    if (created.status !== 0) throw new Error(`${CREATE_APP}\n${created.output}`);
    await shell.enter(path.join(folder, APP));
    ready.app = true;
  }
  if (attributes.with === "dev" && !ready.dev) {
    await shell.runInBackground(START_DEV, READY, RUNS_APP);
    ready.dev = true;
  }
}

async function runFence({ fence, code }: FenceBlock, { shell }: RunOptions): Promise<Ran> {
  const more = /platform-app dev/.test(code) ? RUNS_APP : {};
  if (!fence.words.includes("background")) return shell.run(code, more);
  return shell.runInBackground(code, fence.attributes.until ?? "", more).catch((error: unknown) => ({
    status: -1,
    output: error instanceof Error ? error.message : String(error),
  }));
}

/** `…` stands for anything. The output can have more lines before and after. */
export function matchesOutput(wanted: string, printed: string): boolean {
  const pattern = wanted
    .trim()
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^]*?");
  return new RegExp(pattern).test(printed);
}
