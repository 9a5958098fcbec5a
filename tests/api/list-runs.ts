import { v7 } from "uuid";
import type { Platform } from "@/lib/server/platform/platform";
import { sealStateKey } from "@/lib/server/platform/state-key";
import type { Side } from "../matrix/side";
import { basic } from "../matrix/world";

/** One run of Schemathesis: which operations, with which credential. */
export interface Run {
  name: string;
  /** Values of the path, so that requests reach what exists. Others are made up. */
  parameters: Record<string, string>;
  args: string[];
  /** An app's manifest decides which of the described requests it takes, so that 400 is an answer to them, too. */
  refuses?: boolean;
}

/** Each credential with its own operations, about objects that exist, and about made-up ones. */
export function listRuns({ keyring }: Platform, side: Side): Run[] {
  const { ids, coreCredential, routeBase } = side;
  const key = sealStateKey(keyring, {
    installationId: ids.installationId,
    routeId: ids.routeId,
    attemptId: v7(),
    revision: 1,
    epoch: 0,
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const publisher = ["--header", `Authorization: ${basic(side.apiKey)}`];
  const core = ["--header", `Authorization: Bearer ${coreCredential}`];
  const tag = (name: string) => ["--include-tag", name];
  const app = { organization: "acme", app: "acme-listed", version: "1.4.0" };
  return [
    { name: "Anyone", parameters: {}, args: tag("Platform") },
    { name: "An app with a state key", parameters: { key }, args: tag("State") },
    { name: "An app with a made-up key", parameters: {}, args: tag("State") },
    { name: "A core", parameters: { routeId: ids.routeId }, args: [...tag("Core"), ...core], refuses: true },
    { name: "A core, made-up routes", parameters: {}, args: [...tag("Core"), ...core], refuses: true },
    {
      name: "A browser at an endpoint",
      parameters: { routeBase, path: "open" },
      args: tag("Endpoints"),
      refuses: true,
    },
    { name: "A browser at made-up endpoints", parameters: {}, args: tag("Endpoints"), refuses: true },
    {
      name: "A publisher",
      parameters: { ...app, callId: ids.attemptId, reviewId: ids.reviewId },
      args: [...tag("Publish"), ...publisher],
    },
    // A name of another organization is refused before anything else is read.
    {
      name: "A publisher, made-up apps",
      parameters: {},
      args: [...tag("Publish"), ...publisher],
      refuses: true,
    },
    { name: "A core as a publisher", parameters: app, args: [...tag("Publish"), ...core] },
  ];
}
