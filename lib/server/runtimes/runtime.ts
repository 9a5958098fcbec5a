/** What runs a version. Every implementation must pass the conformance suite in `runtime.test.ts`. */

export interface StartOrder {
  versionId: string;
  /** The `<app-name>` half of the app's name. */
  appName: string;
  /** Digest of the image's configuration, `sha256:…`, as moderated. */
  imageDigest: string;
  /** The stored archive, in case the engine does not have the image yet. */
  archivePath: string;
  /** The app's environment. The runtime adds `PLATFORM_PORT`. */
  environment: { PLATFORM_STATE_API: string };
}

export interface Started {
  /** The runtime's identifier for what it started. */
  handle: string;
  /** Origin that the platform calls, such as `http://127.0.0.1:49153`. */
  origin: string;
}

export type Inspection =
  | { running: true; origin: string }
  /** `reason` completes "The app …", such as "ended with code 1". */
  | { running: false; reason: string };

/** Something that this platform started, whether or not the database knows it. */
export interface Found {
  handle: string;
  versionId: string;
}

export interface Runtime {
  name: "docker" | "process";
  /** False if apps can access this machine's files and network. */
  isolates: boolean;
  /** First removes whatever ran for this version before. Throws a Problem that says how to fix the failure. */
  start(order: StartOrder): Promise<Started>;
  /** Ends it and removes everything created for it. Does nothing if it is already gone. */
  stop(handle: string, graceSeconds: number): Promise<void>;
  inspect(handle: string): Promise<Inspection>;
  /** The end of its output, at most `bytes`, without control characters. */
  logTail(handle: string, bytes: number): Promise<string>;
  /** What it listens on, such as "127.0.0.1:3000", if known. Helps publishers who chose the wrong port. */
  listening?(handle: string): Promise<string | undefined>;
  /** Everything that this platform started, in any state. */
  list(): Promise<Found[]>;
  /** Called once when the worker ends. Stops what cannot outlive it and returns those handles. */
  close(): Promise<string[]>;
}
