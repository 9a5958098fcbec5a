/** Vitest's global set-up: tests that start the gateway, the worker or the command line as processes run current bundles. */
import { bundleEntryPoints } from "@/launcher/build.mjs";

export default async function bundleParts(): Promise<void> {
  await bundleEntryPoints();
}
