/** Follows the emulator's stream, and connects again when it ends. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { DevEventData, DevSnapshot } from "@/cli/dev/contract/snapshot";
import { applyEvent, CHANGE_NAMES, type ChangeName } from "./apply-event";

interface DevState {
  /** lost: `platform-app dev` doesn't answer. What it said last stays on the page. */
  connection: "connecting" | "live" | "lost";
  /** Undefined before the first connection. */
  snapshot: DevSnapshot | undefined;
}

export type DevStore = StoreApi<DevState>;

const RETRY_MS = 1_000;
/** A flood of log lines is drawn together. */
const BATCH_MS = 50;

export function createDevStore(): DevStore {
  return createStore<DevState>(() => ({ connection: "connecting", snapshot: undefined }));
}

/** Returns a function that stops. */
export function followEmulator(store: DevStore): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let drawing: ReturnType<typeof setTimeout> | undefined;
  /** Ahead of what is drawn. Empty until the stream has sent its snapshot. */
  let newest: DevSnapshot | undefined;

  const draw = () => {
    clearTimeout(drawing);
    drawing = undefined;
    if (newest !== undefined) store.setState({ connection: "live", snapshot: newest });
  };
  const listen = <Name extends ChangeName>(to: EventSource, name: Name) =>
    to.addEventListener(name, ({ data }: MessageEvent<string>) => {
      if (newest === undefined) return;
      const change: DevEventData[Name] = JSON.parse(data);
      newest = applyEvent(newest, name, change);
      drawing ??= setTimeout(draw, BATCH_MS);
    });
  const connect = () => {
    const opened = new EventSource("/api/dev/stream");
    source = opened;
    opened.addEventListener("snapshot", ({ data }: MessageEvent<string>) => {
      const snapshot: DevSnapshot = JSON.parse(data);
      newest = snapshot;
      draw();
    });
    for (const name of CHANGE_NAMES) listen(opened, name);
    opened.addEventListener("error", () => {
      // Browsers differ in when they try again, so they don't.
      opened.close();
      draw();
      newest = undefined;
      store.setState({ connection: "lost" });
      retry = setTimeout(connect, RETRY_MS);
    });
  };
  connect();
  return () => {
    source?.close();
    clearTimeout(retry);
    clearTimeout(drawing);
  };
}
