import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const SYSTEM_BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.PLATFORM_CHROMIUM ?? SYSTEM_BROWSERS.find((path) => existsSync(path));

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // The specs share one machine with real containers and a real database: one at a time is quicker here.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: process.env.PLATFORM_BROWSER_REPORT
    ? [["list"], ["json", { outputFile: process.env.PLATFORM_BROWSER_REPORT }]]
    : "list",
  use: {
    actionTimeout: 20_000,
    launchOptions: {
      executablePath,
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
