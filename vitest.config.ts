import path from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ALONE } from "./tests/alone";
import { launchOptions } from "./tests/browser/find-chromium.mjs";
import { currentTurn, listDueFiles, listLaterFiles } from "./tests/turns.mjs";

const BROWSER_TESTS = "{components,cli/dev-page}/**/*.browser.test.tsx";
const fakes = path.join(import.meta.dirname, "tests/browser");

/** Four workers share two cores with whatever else the machine does, and a test may start a process or a container. */
const PATIENCE = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // What a poll waits for is sure to happen; how soon depends on what else the machine does.
  expect: { poll: { timeout: 30_000 } },
};

/** Long files come first: one that begins last runs alone, while the other workers have nothing left to do. */
class LongFirst extends BaseSequencer {
  private readonly long = new Set(
    ["tests/matrix/handlers.test.ts", ...listDueFiles()].map((file) => path.join(import.meta.dirname, file)),
  );

  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    const isLong = ({ moduleId }: TestSpecification) => this.long.has(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))];
  }
}

export default defineConfig({
  test: {
    // Tests wait for containers, connections and timeouts: with three workers, two cores are idle for a third of the time.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        resolve: { alias: { "@": import.meta.dirname } },
        test: {
          name: "unit",
          include: ["{app,components,lib/client,lib/contract,lib/domain,cli/dev-page}/**/*.test.{ts,tsx}"],
          exclude: [BROWSER_TESTS],
          setupFiles: ["tests/fail-on-console-error.ts"],
          // Nothing here keeps state between files: one worker loads each module once.
          isolate: false,
          // Properties are tried on hundreds of values, and the machine may do other things.
          testTimeout: 60_000,
        },
      },
      {
        resolve: {
          alias: {
            "@": import.meta.dirname,
            "next/headers": path.join(import.meta.dirname, "tests/request-scope.ts"),
          },
        },
        test: {
          name: "server",
          include: [
            "{cli,demo,docs,drizzle,examples,gateway,guard,launcher,lib/server,tests,worker}/**/*.test.ts",
          ],
          exclude: ["cli/dev-page/**", ...ALONE, ...listLaterFiles()],
          globalSetup: ["tests/bundle-parts.ts", "tests/start-database.ts"],
          setupFiles: ["tests/fail-on-console-error.ts"],
          // Each file has its own database, and what modules keep is kept by ids: loading them once saves a third of the time.
          isolate: false,
          ...PATIENCE,
        },
      },
      {
        resolve: { alias: { "@": import.meta.dirname } },
        test: {
          name: "alone",
          include: ALONE,
          exclude: listLaterFiles(),
          globalSetup: "tests/start-database.ts",
          setupFiles: ["tests/fail-on-console-error.ts"],
          ...PATIENCE,
        },
      },
      {
        // Components in their states: see tests/browser/render.tsx.
        resolve: {
          alias: {
            "@/lib/client/navigation": path.join(fakes, "client-navigation.ts"),
            "@": import.meta.dirname,
            "next-auth/react": path.join(fakes, "next-auth.ts"),
            "next/navigation": path.join(fakes, "next-navigation.ts"),
            "next/link": path.join(fakes, "next-link.tsx"),
          },
        },
        // All at once: a dependency that is found later reloads the tests that run.
        optimizeDeps: { entries: ["{components,cli/dev-page}/**/*.tsx", "tests/browser/*"] },
        define: { "process.env.NODE_ENV": '"development"', "process.env": "{}" },
        server: { fs: { allow: [import.meta.dirname, process.env.PLATFORM_SCREENSHOTS ?? "."] } },
        test: {
          name: "components",
          include: [BROWSER_TESTS],
          exclude: listLaterFiles(),
          // Each worker has a page of its own. They keep both cores busy, so they run after the server's tests.
          maxWorkers: 2,
          // Modules are loaded once for each worker, so none of these tests mocks one: see the aliases.
          isolate: false,
          sequence: { groupOrder: 1 },
          setupFiles: ["tests/fail-on-console-error.ts", "tests/browser/set-up.ts"],
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          provide: {
            screenshots: process.env.PLATFORM_SCREENSHOTS ?? "",
            turn: currentTurn,
          },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            connectTimeout: 180_000,
            provider: playwright({
              launchOptions: launchOptions(),
              contextOptions: { viewport: { width: 1440, height: 900 } },
              actionTimeout: 10_000,
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
