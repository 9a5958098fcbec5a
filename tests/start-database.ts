/** Vitest's global set-up: one PostgreSQL for the run, with a migrated template database that each test file clones. */
import type { TestProject } from "vitest/node";
import { startTemporaryDatabase } from "./temporary-database";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: string;
  }
}

export const TEMPLATE = "platform_template";

export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTemporaryDatabase(TEMPLATE, [
    "-c",
    "fsync=off",
    "-c",
    "max_connections=200",
  ]);
  project.provide("databaseServer", server);
  return stop;
}
