import { emitKeypressEvents, type Key } from "node:readline";
import { openBrowser } from "../../terminal/open-browser";
import { startApp } from "../customers/launch-customers";
import type { Emulator } from "../emulator/emulator";

/**
 * The keys of `platform-app dev`: r restarts the app, o opens the page, and q and Ctrl+C quit. Resolves when the user quits.
 * @param environment of the browser
 * @param end gives the terminal back
 */
export function listenForKeys(
  emulator: Emulator,
  environment: Readonly<Record<string, string | undefined>>,
  end: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const { stdin } = process;
    const onKey = (_text: string | undefined, { name, ctrl }: Key) => {
      if (name === "q" || (ctrl === true && name === "c")) resolve();
      if (name === "r") void startApp(emulator, "Restarted by hand.");
      if (name === "o") openBrowser(emulator.url, environment);
    };
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on("keypress", onKey);
    end.addEventListener("abort", () => {
      stdin.off("keypress", onKey);
      stdin.setRawMode(false);
      stdin.pause();
    });
  });
}
