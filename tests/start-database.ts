/** Vitest's global set-up: one PostgreSQL for the run, with a migrated template database that each test file clones. */
import type { TestProject } from "vitest/node";
import { startTemporaryDatabase } from "./temporary-database";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: string;
  }
}

/** Nothing outlives the run. */
const SETTINGS = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };

export const TEMPLATE = "platform_template";

export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTemporaryDatabase(TEMPLATE, SETTINGS);
  project.provide("databaseServer", server);
  return stop;
}
