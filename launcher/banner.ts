import path from "node:path";
import { drawBox } from "./box";
import { DEMO_PASSWORD } from "@/lib/server/demo/accounts";
import type { EmbeddedPostgres } from "./embedded-postgres";
import type { Started } from "./start-parts";
import type { Addresses, Settings } from "./settings";

interface BannerInput extends Started {
  settings: Settings;
  addresses: Addresses;
  embedded: EmbeddedPostgres | undefined;
}

/** The one thing to read when all parts are ready. */
export function bannerOf({ settings, addresses, embedded, isolation, accounts }: BannerInput): string {
  const signIn: [string, string][] = accounts.map(({ email, description }) => [email, description]);
  const rows: [string, string][] = [
    ["Gateway", `${addresses.gatewayUrl}   (state API, the core's calls, publishing)`],
    ...(accounts.length === 0
      ? []
      : [["Core", `${addresses.coreUrl}   (the demo's own small one)`] satisfies [string, string]]),
    [
      "Database",
      embedded === undefined
        ? `${placeOf(settings.databaseUrl)}   (DATABASE_URL)`
        : `embedded PostgreSQL 18, data in ${nearOf(settings, embedded.folder)}`,
    ],
    ["Apps run", isolation],
    [
      "Logs",
      settings.production || settings.dev ? "here" : nearOf(settings, path.join(settings.dataDir, "logs")),
    ],
  ];
  const mode = settings.dev ? "in development" : settings.production ? "in production" : "on this machine";
  const sections = [
    [
      ["Open", addresses.webUrl],
      ["", `The platform runs ${mode}; Ctrl-C ends all of it.`],
    ] satisfies [string, string][],
    rows,
  ];
  if (signIn.length > 0)
    sections.splice(1, 0, [["Sign in as", `password for all: ${DEMO_PASSWORD}`], ...signIn]);
  return `\n${drawBox(sections)}\n`;
}

function placeOf(url: string | undefined): string {
  const { hostname, port, pathname } = new URL(url ?? "postgres://nowhere");
  return `${hostname}:${port || "5432"}${pathname}`;
}

function nearOf(settings: Settings, place: string): string {
  const relative = path.relative(settings.root, place);
  return relative.startsWith("..") ? place : relative;
}
