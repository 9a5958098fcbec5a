/** What runs a version. One conformance suite (`runtime.test.ts`) holds for every implementation. */

export interface StartOrder {
  versionId: string;
  /** The `<app-name>` half of the app's name. */
  appName: string;
  /** The image's id: the digest of its configuration, `sha256:…`. It is what was moderated. */
  imageDigest: string;
  /** Where the stored archive is, should the engine not hold the image yet. */
  archivePath: string;
  /** What the app finds in its environment; the runtime adds `PLATFORM_PORT`. */
  environment: { PLATFORM_STATE_API: string };
}

export interface Started {
  /** The runtime's own name for what it started. */
  handle: string;
  /** Origin that the platform calls, such as `http://127.0.0.1:49153`. */
  origin: string;
}

export type Inspection =
  | { running: true; origin: string }
  /** `reason` completes "The app …", such as "ended with code 1". */
  | { running: false; reason: string };

/** Something that runs under this platform's name, known to the database or not. */
export interface Found {
  handle: string;
  versionId: string;
}

export interface Runtime {
  name: "docker" | "process";
  /** False when nothing keeps an app from this machine's files and network. */
  isolates: boolean;
  /** Whatever ran for this version before is removed first. Throws a Problem that says how to mend it. */
  start(order: StartOrder): Promise<Started>;
  /** Ends it and removes all that was made for it. What is gone already is no fault. */
  stop(handle: string, graceSeconds: number): Promise<void>;
  inspect(handle: string): Promise<Inspection>;
  /** The end of its output, at most `bytes`, without control characters. */
  logTail(handle: string, bytes: number): Promise<string>;
  /** What it listens on, in words, where that can be told: helps who chose the wrong port. */
  listening?(handle: string): Promise<string | undefined>;
  /** This platform's own, of any state. */
  list(): Promise<Found[]>;
  /** Called once when the worker ends: stops what cannot outlive it, and says what that was. */
  close(): Promise<string[]>;
}
