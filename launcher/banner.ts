import path from "node:path";
import { z } from "zod";
import { DEMO_PASSWORD } from "@/demo/accounts";
import type { EmbeddedPostgres } from "./data-folder/embedded-postgres";
import type { Addresses, Settings } from "./settings";
import type { Started } from "./start-parts";
import { describeApps } from "./watch-engine";

interface BannerInput extends Started {
  settings: Settings;
  addresses: Addresses;
  embedded: EmbeddedPostgres | undefined;
}

/** What the terminal shows when everything is running. */
export function createBanner({
  settings,
  addresses,
  embedded,
  accounts,
  workerReady,
  running,
}: BannerInput): string {
  const { root, dev, production, dataDir } = settings;
  const mode = dev ? "in development mode" : production ? "in production mode" : "on this machine";
  const rows: [string, string][] = [
    ["Gateway", `${addresses.gatewayUrl}   (state API, calls from the core, publishing)`],
  ];
  if (accounts.length > 0) rows.push(["Core", `${addresses.coreUrl}   (a small core for the demo)`]);
  rows.push(
    [
      "Database",
      embedded === undefined
        ? `${withoutCredentials(settings.databaseUrl)}   (DATABASE_URL)`
        : `embedded PostgreSQL 18, data in ${relativeTo(root, embedded.folder)}`,
    ],
    ["Apps", describeIsolation(workerReady, running)],
    ["Logs", production || dev ? "in this terminal" : relativeTo(root, path.join(dataDir, "logs"))],
  );
  const sections: [string, string][][] = [
    [
      ["Open", addresses.webUrl],
      ["", `The platform is running ${mode}. Press Ctrl-C to stop it.`],
    ],
    rows,
  ];
  if (accounts.length > 0)
    sections.splice(1, 0, [
      ["Sign in as", `with the password ${DEMO_PASSWORD}`],
      ...accounts.map(({ email, description }): [string, string] => [email, description]),
    ]);
  return `\n${drawBox(sections)}\n`;
}

function withoutCredentials(url = "postgres://unknown"): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || "5432"}${pathname}`;
}

function relativeTo(root: string, file: string): string {
  const relative = path.relative(root, file);
  return relative.startsWith("..") ? file : relative;
}

const readyMessage = z.object({
  runtimes: z.array(
    z.object({ name: z.string(), isolates: z.boolean(), unavailable: z.string().optional() }),
  ),
});

/** @param workerReady the worker's ready message */
function describeIsolation(workerReady: unknown, running: Started["running"]): string {
  const runtimes = readyMessage.safeParse(workerReady).data?.runtimes ?? [];
  const usable = runtimes.filter((runtime) => runtime.unavailable === undefined);
  const engine = usable.some((runtime) => runtime.isolates);
  if (usable.length > 0) return describeApps(running, engine);
  const reason = runtimes.find((runtime) => runtime.unavailable !== undefined)?.unavailable;
  return `cannot run: ${reason ?? "the worker gave no reason"}`;
}

function drawBox(sections: [string, string][][]): string {
  const label = Math.max(...sections.flat().map(([name]) => name.length));
  const lines = sections.map((rows) =>
    rows.map(([name, value]) => `${name.padEnd(label)}  ${value}`.trimEnd()),
  );
  const width = Math.max(...lines.flat().map((line) => line.length));
  const rule = (left: string, right: string) => `${left}${"─".repeat(width + 4)}${right}`;
  const body = lines.map((rows) => rows.map((line) => `│  ${line.padEnd(width)}  │`).join("\n"));
  return [rule("┌", "┐"), body.join(`\n${rule("├", "┤")}\n`), rule("└", "┘")].join("\n");
}
