/** What the demo needs of the one who seeds it. */
export interface DemoSurroundings {
  /** Origin of the demo's core, as apps and the platform reach it. */
  coreUrl: string;
  /** Holds a folder for each app. */
  examplesFolder: string;
  /** Builds an app's image, where an engine answers: the archive of `docker save`. */
  imageOf: ((appName: string) => Promise<NodeJS.ReadableStream>) | undefined;
  /** Tells the demo's core with what a tenant signs in to the gateway. */
  setUpTenant: (hostName: string, credential: string) => Promise<void>;
  report: (message: string) => void;
  /** How long to wait for the workers to launch everything. */
  launchMs: number;
}
