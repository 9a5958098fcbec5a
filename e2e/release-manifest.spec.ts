/** How a draft becomes a version: published with an image by the command line, released alone from the page, merged with what an image brought. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { createTar, dockerArchive } from "@/lib/server/images/archive/test-archives";
import { checkPage, saveScreenshot } from "./accessibility";
import { ensureListing, exportFile, openEditor, selectEntry, storedDraft } from "./editor";
import { expect, open, signInAs, test } from "./fixtures";
import { givenApiKey } from "./given";
import type { RunningPlatform } from "./start-platform";

const APP = "released";
const run = promisify(execFile);
const COMMAND = path.join(import.meta.dirname, "../cli/dist/platform-app.js");

const FIRST = {
  name: `acme/${APP}`,
  version: "1.0.0",
  app: {
    fields: [
      { name: "greeting", title: "Greeting", type: "Text", hint: "What agents read" },
      { name: "farewell", title: "Farewell", type: "Text" },
    ],
  },
};

const title = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });
const row = (page: Page, name: string) => page.getByRole("row", { name, exact: true });

test("a draft is released without an image, pulled, pushed, and merged with the manifest of a new image", async ({
  platform,
  page,
}) => {
  test.setTimeout(180_000);
  await signInAs(page, platform.webUrl, "publisher@demo.example");
  await ensureListing(platform, page, APP, "Released");
  const folder = await workingFolder(page, platform);

  await test.step("the first version comes with an image", async () => {
    await folder.writeManifest(`${JSON.stringify(FIRST, null, 2)}\n`);
    expect(await folder.publish()).toContain("1.1.0");
    await openEditor(page, platform, APP);
    expect(await exportFile(page)).toBe(await folder.readManifest());
  });

  await test.step("texts alone are released with the same image", async () => {
    await selectEntry(page, "Greeting");
    await title(page).fill("Salutation");
    await page.getByRole("button", { name: "Release", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Release 1.2.0" })).toBeEnabled();
    await checkPage(page, "the release dialog");
    await saveScreenshot(page, "editor release dialog");
    await dialog.getByRole("button", { name: "Release 1.2.0" }).click();
    await expect(page.getByText("Released as version 1.2.0").first()).toBeVisible();
    expect(JSON.parse(await storedDraft(platform, page, APP)).version).toBe("1.2.0");
    await open(page, `${platform.webUrl}/publish/${APP}/versions`);
    const versions = page.getByRole("table", { name: "Versions" }).getByRole("row");
    const digests = await versions.getByTitle(/^sha256:/).allInnerTexts();
    expect(digests).toHaveLength(2);
    expect(new Set(digests).size).toBe(1);
    await expect(versions.filter({ hasText: "1.2.0" })).toContainText("Not verified");
  });

  await test.step("what the code may depend on is not released without an image", async () => {
    await openEditor(page, platform, APP);
    await page.getByRole("button", { name: "Add Password" }).click();
    await page.getByRole("tab", { name: /^Changes/ }).click();
    await expect(page.getByText("Needs a new image").first()).toBeVisible();
    await expect(page.getByText(/^Saved /)).toBeVisible();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await checkPage(page, `changes ${width}`);
      await saveScreenshot(page, `editor changes ${width}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Release", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(/image/);
    await expect(dialog).toContainText("docker build --platform linux/amd64");
    await expect(dialog).toContainText("COPY platform-app.json /");
    await expect(dialog.getByRole("button", { name: /^Release/ })).toBeDisabled();
    await page.keyboard.press("Escape");
  });

  await test.step("the command line pulls the draft, and pushes what was changed in the folder", async () => {
    await expect(page.getByText(/^Saved /)).toBeVisible();
    // The file is a published version's, so a pull has nothing to lose.
    await folder.command("manifest", "pull");
    const pulled = await folder.readManifest();
    expect(pulled).toBe(await storedDraft(platform, page, APP));
    await folder.writeManifest(pulled.replace("What agents read", "What brokers read"));
    await folder.command("manifest", "push");
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page.getByRole("tab", { name: /^Design/ }).click();
    await selectEntry(page, "Salutation");
    await expect(page.getByRole("textbox", { name: /^Hint/ })).toHaveValue("What brokers read");
  });

  await test.step("a new image with another manifest is shown beside the draft, and merged", async () => {
    const text = await folder.readManifest();
    await folder.writeManifest(text.replace('"Farewell"', '"Goodbye"'));
    expect(await folder.publish()).toContain("1.3.0");
    await title(page).fill("Welcome");
    await expect(page.getByText(/^Saved /)).toBeVisible();
    await openEditor(page, platform, APP);
    await expect(page.getByText("Version 1.3.0 was published with a different manifest")).toBeVisible();
    await page.getByRole("button", { name: "Merge" }).click();
    await expect(row(page, "Goodbye")).toBeVisible();
    await expect(row(page, "Welcome")).toBeVisible();
    await expect(page.getByText("Version 1.3.0 was published with a different manifest")).toBeHidden();
    await expect.poll(() => storedDraft(platform, page, APP)).toMatch(/"Welcome"[^]*"Goodbye"/);
  });
  await folder.remove();
});

/** A publisher's working folder, with the real command and its own key. */
async function workingFolder(page: Page, platform: RunningPlatform) {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-app-"));
  const key = await givenApiKey(page, platform);
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: path.join(folder, "config"),
    PLATFORM_URL: platform.gatewayUrl,
    PLATFORM_CLIENT_ID: key.clientId,
    PLATFORM_API_KEY: key.apiKey,
  };
  const file = path.join(folder, "platform-app.json");
  const command = async (...args: string[]) => {
    const { stdout, stderr } = await run(process.execPath, [COMMAND, ...args], { cwd: folder, env });
    return stdout + stderr;
  };
  const readManifest = () => readFile(file, "utf8");
  return {
    command,
    readManifest,
    writeManifest: (text: string) => writeFile(file, text),
    /** The archive of an image that holds the manifest, published as `docker save` would give it. */
    publish: async () => {
      const content = await readManifest();
      const layer = await createTar([{ name: "platform-app.json", content }]);
      await writeFile(path.join(folder, "image.tar"), await dockerArchive({ layers: [layer] }));
      return command("publish", "image.tar");
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
