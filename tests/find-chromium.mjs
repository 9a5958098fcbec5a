import { accessSync, constants } from "node:fs";
import { chromium } from "@playwright/test";

const PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];
const MAC_PATH = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** `{ path }`, or `{ reason }` if there is none. On Debian as root it installs the package. */
export async function findChromium(execute) {
  const wanted = process.env.PLATFORM_CHROMIUM;
  if (wanted)
    return isExecutable(wanted)
      ? { path: wanted }
      : { reason: `PLATFORM_CHROMIUM (${wanted}) is not executable` };
  const present = [chromium.executablePath(), ...PATHS, MAC_PATH].find(isExecutable);
  if (present !== undefined) return { path: present };
  if (process.getuid?.() !== 0 || !isExecutable("/usr/bin/apt-get")) {
    return { reason: "no Chromium was found. Install one or set PLATFORM_CHROMIUM" };
  }
  console.log("No Chromium was found. Installing the Debian package.");
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  await execute("apt-get", ["update", "-qq"], quiet);
  const code = await execute(
    "apt-get",
    ["install", "-qq", "-y", "--no-install-recommends", "chromium"],
    quiet,
  );
  const installed = PATHS.find(isExecutable);
  return installed === undefined
    ? { reason: `Chromium could not be installed (apt-get: ${code})` }
    : { path: installed };
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
