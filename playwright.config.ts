import { existsSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "@playwright/test";

const SYSTEM_BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const chromium = process.env.PLATFORM_CHROMIUM ?? SYSTEM_BROWSERS.find((path) => existsSync(path));

/** On Linux, containers that start change the machine's network, and Chromium would drop what it is loading. */
const isSteady = process.platform === "linux" && chromium !== undefined && existsSync("/usr/bin/perl");

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
    launchOptions: {
      executablePath: isSteady ? path.join(import.meta.dirname, "e2e/steady-chromium.pl") : chromium,
      env: { ...process.env, PLATFORM_CHROMIUM: chromium },
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
