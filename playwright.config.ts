import path from "node:path";
import { defineConfig } from "@playwright/test";
import { launchOptions } from "./tests/browser/find-chromium.mjs";
import { listLaterFiles } from "./tests/turns.mjs";

export default defineConfig({
  testDir: "e2e",
  testIgnore: listLaterFiles().map((file) => path.join(import.meta.dirname, file)),
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  // Pages wait for containers and for people's pauses: with two workers, two cores are idle for half of the time.
  workers: 4,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: process.env.PLATFORM_BROWSER_REPORT
    ? [["list"], ["json", { outputFile: process.env.PLATFORM_BROWSER_REPORT }]]
    : "list",
  use: {
    actionTimeout: 20_000,
    launchOptions: launchOptions(),
    // A trace of every test costs a seventh of the time. To see what a failed test did, run it again with `--trace on`.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
