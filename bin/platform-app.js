#!/usr/bin/env node
// The command line's entry: runs the bundle, which a fresh clone does not have yet and gets here.
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const root = path.join(import.meta.dirname, "..");
const bundle = path.join(root, ".build", "platform-app.js");

if (!existsSync(bundle)) {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: { "platform-app": "cli/main.ts" },
    outdir: ".build",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
}
await import(pathToFileURL(bundle).href);
