import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: ["{app,cli,components,drizzle,examples,gateway,launcher,lib,tests,worker}/**/*.test.{ts,tsx}"],
    globalSetup: ["tests/start-database.ts"],
    setupFiles: ["tests/fail-on-console-error.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
