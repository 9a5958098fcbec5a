import { spawn } from "node:child_process";

/** A program that opens the browser reports within this time that it can't. Some run as long as the browser. */
const REFUSAL_MS = 1_000;

/** Opens a page, without a shell. Resolves with false without a display, or if no browser starts. Never rejects. */
export async function openBrowser(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
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
  const env: NodeJS.ProcessEnv = { ...environment, NODE_ENV: "production" };
  const opener = spawn(command ?? "xdg-open", args, { detached: true, stdio: "ignore", env });
  opener.unref();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), REFUSAL_MS);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    opener.once("error", () => end(false)).once("exit", (code) => end(code === 0));
  });
}
