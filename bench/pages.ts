/**
 * What pages cost: statements, bytes and time of each over a year's data (`measure-pages.ts`), the JavaScript that each loads
 * (`weigh-pages.ts`), how fast the public ones are over 100,000 listings (`marketplace-pages.ts`), and what their visitors wait
 * for (`trace-page.ts`). DATABASE_URL may name a database that `npm run seed:large` has filled; otherwise one is filled first,
 * which takes minutes. `npm run bench:pages -- data` only measures the first, `npm run bench:pages -- browser` only the
 * others, `npm run bench:pages -- editor` only weighs the manifest editor.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { startPlatform, waitForDemo } from "@/e2e/start-platform";
import { freePort } from "@/lib/server/platform/machine";
import config from "@/playwright.config";
import { COPY, copySources, measureMarketplace, NEXT, startMarketplace } from "./marketplace-pages";
import { median, printFigure } from "./measure";
import { measurePages } from "./measure-pages";
import { tracePage } from "./trace-page";
import { kb, weigh, weighPages } from "./weigh-pages";

const ROOT = path.join(import.meta.dirname, "..");
/** Inside the tree, so that it resolves the same packages. */
const EMPTY_APP = path.join(ROOT, ".build/empty-page");
const TRACED_LOADS = 5;

const seededUrl = process.env.DATABASE_URL;
// The demo's platform starts a database of its own.
delete process.env.DATABASE_URL;
await run([path.join(ROOT, "launcher/build.mjs")]);
const only = process.argv[2];
const isEditorOnly = only === "editor";
if (!isEditorOnly && only !== "browser") await measurePages();
if (only !== "data") await measureInBrowser();

async function measureInBrowser(): Promise<void> {
  await buildEmptyPage();
  if (!isEditorOnly) {
    await copySources();
    await run([NEXT, "build", COPY]);
  }
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    await measureWeights(browser);
    if (!isEditorOnly) await measureSpeed(browser);
  } finally {
    await browser.close();
  }
}

async function measureWeights(browser: Browser): Promise<void> {
  const empty = await weighEmptyPage(browser);
  const platform = await startPlatform("process");
  try {
    await waitForDemo(platform);
    const heaviest = await weighPages(browser, platform, empty, isEditorOnly);
    console.log(`figure empty_js_kb ${kb(empty)} kB`);
    console.log(`figure editor_js_over_empty_kb ${kb(heaviest.editor - empty)} kB`);
    console.log(`figure json_tab_js_over_editor_kb ${kb(heaviest.jsonTab - heaviest.editor)} kB`);
    if (isEditorOnly) return;
    console.log(`figure public_js_over_empty_kb ${kb(heaviest.public - empty)} kB`);
    console.log(
      `figure heaviest_js_over_empty_kb ${kb(Math.max(heaviest.public, heaviest.others) - empty)} kB`,
    );
  } finally {
    await platform.stop();
  }
}

async function measureSpeed(browser: Browser): Promise<void> {
  const site = await startMarketplace(seededUrl);
  try {
    await waitFor(site.url);
    await measureMarketplace(site);
    for (const [name, address] of [
      ["home", "/"],
      ["search", "/marketplace?q=telematics"],
      ["listing", await findListing(site.url)],
    ] as const) {
      const loads = [];
      for (let load = 0; load < TRACED_LOADS; load += 1)
        loads.push(await tracePage(browser, site.url + address));
      printFigure(`${name}_lcp`, median(loads.map(({ lcpMs }) => lcpMs)), "ms");
      printFigure(`${name}_cls`, Math.max(...loads.map(({ cls }) => cls)), "score");
      printFigure(`${name}_blocking`, median(loads.map(({ blockingMs }) => blockingMs)), "ms");
    }
  } finally {
    await site.stop();
  }
}

async function findListing(url: string): Promise<string> {
  const html = await (await fetch(`${url}/marketplace`)).text();
  const address = /href="(\/marketplace\/[^"]+)"/.exec(html)?.[1];
  if (address === undefined) throw new Error("The marketplace has no listing.");
  return address;
}

async function buildEmptyPage(): Promise<void> {
  await rm(EMPTY_APP, { recursive: true, force: true });
  await mkdir(path.join(EMPTY_APP, "app"), { recursive: true });
  for (const part of ["next.config.js", "launcher"])
    await cp(path.join(ROOT, part), path.join(EMPTY_APP, part), { recursive: true });
  await writeFile(path.join(EMPTY_APP, "package.json"), '{ "type": "module" }');
  await writeFile(
    path.join(EMPTY_APP, "app/layout.jsx"),
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
  );
  await writeFile(path.join(EMPTY_APP, "app/page.jsx"), "export default function Page() { return null; }");
  await run([NEXT, "build", EMPTY_APP]);
}

async function weighEmptyPage(browser: Browser): Promise<number> {
  const port = await freePort();
  const server = spawn(process.execPath, [NEXT, "start", EMPTY_APP, "-p", String(port), "-H", "127.0.0.1"], {
    stdio: "ignore",
  });
  try {
    const url = `http://127.0.0.1:${port}/`;
    await waitFor(url);
    return await weigh(await browser.newContext(), url);
  } finally {
    server.kill("SIGTERM");
  }
}

async function run(args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`node ${args.join(" ")} exited with ${code}`);
}

async function waitFor(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not answer within 20 s`);
}
