import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { route } from "@/lib/server/surface/web/route";

const APP = path.join(import.meta.dirname, "..", "app");
const METHOD = /export const (GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|export \{[^}]*\}/g;

type ApiRoute = ReturnType<typeof route>;

export interface FileOnDisk {
  /** Absolute. */
  file: string;
  /** Its URL path, without route groups. */
  path: string;
  source: string;
}

/** The files of this name under `app/`, such as `page.tsx`. */
export function filesOnDisk(name: string): FileOnDisk[] {
  return readdirSync(APP, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === name)
    .map((file) => ({
      file: path.join(APP, file),
      path: toUrlPath(file),
      source: readFileSync(path.join(APP, file), "utf8"),
    }));
}

/** The handlers that a route file exports, such as `GET /api/health`. */
export function handlersIn({ path, source }: FileOnDisk): string[] {
  const methods = [...source.matchAll(METHOD)].flatMap(
    (match) => match[1] ?? [...match[0].matchAll(/as (\w+)/g)].map((one) => one[1] ?? ""),
  );
  return methods.map((method) => `${method} ${path}`);
}

/** The handlers of the catch-all below `/api`, of all contexts. */
export async function listApiRoutes(): Promise<ApiRoute[]> {
  const folder = path.join(APP, "api/[...path]");
  const files = readdirSync(folder).filter((file) => file !== "route.ts");
  const modules: Record<string, ApiRoute[]>[] = await Promise.all(
    files.map((file) => import(path.join(folder, file))),
  );
  return modules.flatMap((exported) => Object.values(exported).flat());
}

function toUrlPath(file: string): string {
  const parts = path
    .dirname(file)
    .split(path.sep)
    .filter((part) => part !== "." && !/^\(.*\)$/.test(part));
  return `/${parts.join("/")}`;
}
