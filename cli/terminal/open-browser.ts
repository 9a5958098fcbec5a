import { spawn } from "node:child_process";

/** Opens a page without a shell. False if there is no screen. Nothing depends on whether the browser starts. */
export function openBrowser(url: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  const hasScreen =
    process.platform !== "linux" ||
    environment.DISPLAY !== undefined ||
    environment.WAYLAND_DISPLAY !== undefined;
  if (!hasScreen) return false;
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  spawn(command ?? "xdg-open", args, { detached: true, stdio: "ignore" })
    .on("error", () => undefined)
    .unref();
  return true;
}
