/**
 * How much JavaScript each page loads, in gzipped kB, next to an empty page that the same Next builds. Counted: every
 * script file that Chromium fetches from the first byte until the network is idle, prefetched ones included, without
 * hover or clicks. Inline scripts belong to the HTML and are not counted.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { chromium, type Browser, type BrowserContext } from "@playwright/test";
import { signInAs } from "@/e2e/fixtures";
import { startPlatform, type RunningPlatform } from "@/e2e/start-platform";
import { freePort } from "@/lib/server/runtimes/free-port";
import config from "@/playwright.config";

const ROOT = path.join(import.meta.dirname, "..");
const NEXT = path.join(ROOT, "node_modules/next/dist/bin/next");
/** Inside the tree, so that it resolves the same packages. */
const EMPTY_APP = path.join(ROOT, ".build/empty-page");

const LISTS = [
  ["harbor@demo.example", "/home"],
  ["harbor@demo.example", "/marketplace"],
  ["harbor@demo.example", "/installations"],
  ["harbor@demo.example", "/tenants"],
  ["publisher@demo.example", "/publish"],
  ["publisher@demo.example", "/organization/api-keys"],
  ["moderator@demo.example", "/moderation"],
] as const;
const EDITOR = ["publisher@demo.example", "/publish/vin-autofill/manifest"] as const;
/** `*`: the address of the first link on the list page that leads one level deeper. */
const OTHERS = [
  ["harbor@demo.example", "/marketplace/acme/vin-autofill"],
  ["harbor@demo.example", "/launch/acme/vin-autofill"],
  ["harbor@demo.example", "/installations/*"],
  ["harbor@demo.example", "/installations/*/configure"],
  ["harbor@demo.example", "/installations/*/history"],
  ["harbor@demo.example", "/installations/*/upgrade"],
  ["harbor@demo.example", "/tenants/*"],
  ["harbor@demo.example", "/tenants/new"],
  ["harbor@demo.example", "/sign-out"],
  ["publisher@demo.example", "/publish/new"],
  ["publisher@demo.example", "/publish/vin-autofill"],
  ["moderator@demo.example", "/moderation/*"],
] as const;

await run([path.join(ROOT, "launcher/build.mjs")]);
const empty = await measureEmptyPage();
const platform = await startPlatform("process");
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const landing = await weigh(await browser.newContext(), `${platform.webUrl}/`);
  const lists = await weighAll(browser, platform, LISTS);
  const editor = await weighAll(browser, platform, [EDITOR]);
  const others = await weighAll(browser, platform, OTHERS);
  for (const signedOut of ["/sign-in", "/sign-up"])
    others.set(signedOut, await weigh(await browser.newContext(), platform.webUrl + signedOut));

  for (const [page, bytes] of [["/", landing] as const, ...lists, ...editor, ...others])
    console.log(`${page.padEnd(34)} ${kb(bytes)} kB, ${kb(bytes - empty)} kB over the empty page`);
  console.log(`figure empty_js_kb ${kb(empty)} kB`);
  console.log(`figure landing_js_kb ${kb(landing)} kB`);
  console.log(`figure landing_js_over_empty_kb ${kb(landing - empty)} kB`);
  console.log(`figure list_js_over_empty_kb ${kb(Math.max(...lists.values()) - empty)} kB`);
  console.log(`figure editor_js_over_empty_kb ${kb(Math.max(...editor.values()) - empty)} kB`);
} finally {
  await browser.close();
  await platform.stop();
}

async function weighAll(
  browser: Browser,
  platform: RunningPlatform,
  pages: readonly (readonly [email: string, path: string])[],
): Promise<Map<string, number>> {
  const weights = new Map<string, number>();
  for (const email of new Set(pages.map(([email]) => email))) {
    const signedIn = await browser.newContext();
    const page = await signedIn.newPage();
    await signInAs(page, platform.webUrl, email);
    const storageState = await signedIn.storageState();
    for (const [, pattern] of pages.filter(([of]) => of === email)) {
      const [list = "", rest = ""] = pattern.split("/*");
      let address = pattern;
      if (list !== pattern) {
        await page.goto(`${platform.webUrl}${list}${list === "/moderation" ? "?state=APPROVED" : ""}`);
        const link = page.locator(`main a[href^="${list}/"]:visible`).filter({ hasNotText: "Connect" });
        address = `${await link.first().getAttribute("href")}${rest}`;
      }
      // A context of its own: nothing is in its cache.
      weights.set(
        pattern,
        await weigh(await browser.newContext({ storageState }), platform.webUrl + address),
      );
    }
    await signedIn.close();
  }
  return weights;
}

/** Gzipped bytes of the scripts that one load of a page fetches. */
async function weigh(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const scripts = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (!(response.headers()["content-type"] ?? "").includes("javascript")) return;
    scripts.set(
      response.url(),
      response.body().then((body) => gzipSync(body).length),
    );
  });
  const answer = await page.goto(url, { waitUntil: "networkidle" });
  if (answer?.status() !== 200 || page.url() !== url)
    throw new Error(`${url} answered ${answer?.status()} at ${page.url()}`);
  const sizes = await Promise.all(scripts.values());
  if (process.env.PLATFORM_PAGE_SCRIPTS !== undefined)
    for (const [index, script] of [...scripts.keys()].entries()) console.log(`  ${sizes[index]} ${script}`);
  await context.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function measureEmptyPage(): Promise<number> {
  await rm(EMPTY_APP, { recursive: true, force: true });
  await mkdir(path.join(EMPTY_APP, "app"), { recursive: true });
  await cp(path.join(ROOT, "next.config.js"), path.join(EMPTY_APP, "next.config.js"));
  await writeFile(path.join(EMPTY_APP, "package.json"), '{ "type": "module" }');
  await writeFile(
    path.join(EMPTY_APP, "app/layout.jsx"),
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
  );
  await writeFile(path.join(EMPTY_APP, "app/page.jsx"), "export default function Page() { return null; }");
  await run([NEXT, "build", EMPTY_APP]);
  const port = await freePort();
  const server = spawn(process.execPath, [NEXT, "start", EMPTY_APP, "-p", String(port), "-H", "127.0.0.1"], {
    stdio: "ignore",
  });
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const url = `http://127.0.0.1:${port}/`;
    await waitFor(url);
    return await weigh(await browser.newContext(), url);
  } finally {
    await browser.close();
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

function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
