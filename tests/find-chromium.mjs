import { accessSync, constants } from "node:fs";
import { chromium } from "@playwright/test";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];
const OF_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** `{ path }`, or `{ reason }` when there is none. As root on Debian it is installed. */
export async function findChromium(execute) {
  const wished = process.env.PLATFORM_CHROMIUM;
  if (wished)
    return runnable(wished) ? { path: wished } : { reason: `PLATFORM_CHROMIUM (${wished}) cannot be run` };
  const present = [chromium.executablePath(), ...PLACES, OF_MAC].find(runnable);
  if (present !== undefined) return { path: present };
  if (process.getuid?.() !== 0 || !runnable("/usr/bin/apt-get")) {
    return { reason: "no Chromium was found; install one, or name it in PLATFORM_CHROMIUM" };
  }
  console.log("No Chromium was found; installing Debian's.");
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  await execute("apt-get", ["update", "-qq"], quiet);
  const code = await execute(
    "apt-get",
    ["install", "-qq", "-y", "--no-install-recommends", "chromium"],
    quiet,
  );
  const installed = PLACES.find(runnable);
  return installed === undefined
    ? { reason: `Chromium could not be installed (apt-get: ${code})` }
    : { path: installed };
}

function runnable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
