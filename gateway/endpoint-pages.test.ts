/** What a page of an app can do in a browser, and what it can't: the list of docs/guide/endpoints.md, in Chromium. */
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchOptions } from "@/tests/browser/find-chromium.mjs";
import { givenEndpoints } from "@/tests/endpoint-world";
import { givenInstance } from "@/tests/fake-app";
import { testPlatform } from "@/tests/test-platform";

const platform = await testPlatform();
const { world, origin } = givenEndpoints(platform);

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(launchOptions());
});
afterAll(() => browser.close());

const PAGE = `<!doctype html><title>Settings</title>
  <a id="download" download="report.csv" href="callbacks/report.csv">Report</a>
  <a id="window" target="_blank" href="callbacks/help">Help</a>
  <a id="other" target="_blank" href="SITE">Provider</a>
  <button id="confirm" onclick="document.title = String(confirm('Delete it?'))">Delete</button>
  <form method="post" action="callbacks/save"><button id="save">Save</button></form>`;

async function openPage(): Promise<Page> {
  await givenInstance(platform, world.version.id, (response, { url = "" }) => {
    if (url.endsWith(".csv"))
      return void response
        .writeHead(200, { "content-type": "text/csv", "content-disposition": "attachment" })
        .end("a,b\r\n");
    const body =
      url === "/settings" ? PAGE.replace("SITE", `${origin()}/health`) : "<title>Another page</title>";
    return void response.writeHead(200, { "content-type": "text/html" }).end(body);
  });
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${origin()}${world.base}/settings`);
  return page;
}

// Guarantee: a page can do what people need of it: download, ask, print, open windows, and send forms.
test("a page can download files, ask, print, open windows and send forms", async () => {
  const page = await openPage();
  const download = page.waitForEvent("download");
  await page.click("#download");
  expect((await download).suggestedFilename()).toBe("report.csv");

  page.once("dialog", (dialog) => void dialog.accept());
  await page.click("#confirm");
  expect(await page.title()).toBe("true");

  // Without the permission, a page never hears that it is printed.
  expect(
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener("beforeprint", () => resolve("printed"));
          print();
          setTimeout(() => resolve("ignored"));
        }),
    ),
  ).toBe("printed");

  const [opened] = await Promise.all([page.waitForEvent("popup"), page.click("#window")]);
  await opened.waitForLoadState();
  expect(await opened.title()).toBe("Another page");
  // A page of an app is sandboxed wherever it is opened; a page of another site is not.
  expect(await opened.evaluate(() => self.origin)).toBe("null");
  const [other] = await Promise.all([page.waitForEvent("popup"), page.click("#other")]);
  await other.waitForLoadState();
  expect(await other.evaluate(() => self.origin)).toBe(origin());

  await Promise.all([page.waitForURL("**/callbacks/save"), page.click("#save")]);
  expect(await page.title()).toBe("Another page");
  await page.context().close();
});

// Guarantee: pages of all apps share an address, and none can read or keep anything there.
test("a page has no origin, no storage, no cookies and no device", async () => {
  const page = await openPage();
  const tried = await page.evaluate(async () => {
    const attempt = async (work: () => unknown) => {
      try {
        return String(await work());
      } catch (error) {
        return error instanceof Error ? error.name : "failed";
      }
    };
    return {
      origin: self.origin,
      cookie: await attempt(() => document.cookie),
      localStorage: await attempt(() => localStorage.length),
      sessionStorage: await attempt(() => sessionStorage.length),
      indexedDB: await attempt(() => {
        indexedDB.open("a");
        return "open";
      }),
      serviceWorker: await attempt(() => navigator.serviceWorker.register("callbacks/worker.js")),
      fetch: await attempt(() => fetch("callbacks/data")),
      camera: await attempt(() => navigator.mediaDevices.getUserMedia({ video: true })),
      passkey: await attempt(() =>
        navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16), timeout: 1 } }),
      ),
    };
  });
  expect(tried).toEqual({
    origin: "null",
    cookie: "SecurityError",
    localStorage: "SecurityError",
    sessionStorage: "SecurityError",
    indexedDB: "SecurityError",
    serviceWorker: "SecurityError",
    fetch: "TypeError",
    camera: expect.stringMatching(/Error$/),
    passkey: expect.stringMatching(/Error$/),
  });
  // Nobody can put it into a page of theirs.
  const framing = await page.context().newPage();
  await framing.setContent(`<iframe src="${origin()}${world.base}/settings"></iframe>`);
  await framing.waitForLoadState();
  const frame = framing.frames().find((each) => each !== framing.mainFrame());
  expect(await frame?.title().catch(() => "")).not.toBe("Settings");
  await page.context().close();
});
