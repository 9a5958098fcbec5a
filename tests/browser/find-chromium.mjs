// The Chromium that component and end-to-end tests drive: the system's, because none can be downloaded.
import { accessSync, constants } from "node:fs";
import path from "node:path";

/** The shell is the same browser without a window's parts, and takes an eighth less time. */
const PATHS = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** One with all of its parts, such as a password manager; undefined if there is none. */
export function findWholeChromium() {
  return PATHS.filter((file) => !file.endsWith("-shell")).find(isExecutable);
}

/** Playwright's launch options. Without a Chromium, `executablePath` is undefined. */
export function launchOptions(chromium = process.env.PLATFORM_CHROMIUM ?? PATHS.find(isExecutable)) {
  // On Linux, containers that start change the machine's network, and Chromium would drop what it is loading.
  const isSteady = process.platform === "linux" && isExecutable("/usr/bin/perl");
  return {
    executablePath:
      chromium !== undefined && isSteady ? path.join(import.meta.dirname, "steady-chromium.pl") : chromium,
    env: { ...process.env, PLATFORM_CHROMIUM: chromium },
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  };
}

/** `{ path }`, or `{ reason }` if there is none. On Debian as root it installs the package. */
export async function findChromium(execute) {
  const wanted = process.env.PLATFORM_CHROMIUM;
  if (wanted)
    return isExecutable(wanted)
      ? { path: wanted }
      : { reason: `PLATFORM_CHROMIUM (${wanted}) is not executable` };
  const present = PATHS.find(isExecutable);
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
