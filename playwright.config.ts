import { defineConfig } from "@playwright/test";
import { launchOptions } from "./tests/browser/find-chromium.mjs";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  workers: 2,
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
