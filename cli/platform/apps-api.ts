import { replayResult, type ReplayResult } from "@/lib/contract/calls/gateway-answers";
import { callPage, type CallPage, callView, type CallView } from "@/lib/contract/insight/call";
import { toQuery } from "@/lib/contract/platform/time-range";
import {
  appLogPage,
  appStatus,
  type AppStatus,
  appVersions,
  type AppVersions,
  type CreatedApp,
  createdApp,
  type CreateListingInput,
  submittedVersion,
  type SubmittedVersion,
} from "@/lib/contract/surface/own-app";
import { findManifestFile, getAppName } from "../manifest/manifest-file";
import type { CliContext } from "../terminal/environment";
import type { AppOptions } from "../terminal/options";
import { call, send, toFailure } from "./call-platform";
import { type Credentials, findCredentials } from "./credentials";

/** The app that `--app` names, or else the manifest. */
export async function chooseApp({ environment }: CliContext, options: AppOptions): Promise<ChosenApp> {
  const found = options.app === undefined ? await findManifestFile(options.manifest) : undefined;
  const name = getAppName(found?.text, options.app);
  return { credentials: await findCredentials(environment), name };
}

/** An app of the organization that the user is logged in for. */
export interface ChosenApp {
  credentials: Credentials;
  /** `<org-name>/<app-name>`. */
  name: string;
}

const JSON_HEADERS = { "content-type": "application/json" };

/** A path below the app's, with what is set of a query. */
export function appPath({ name }: ChosenApp, below: string, query: object = {}): string {
  const text = toQuery(query).toString();
  return `/publish/v1/apps/${name}/${below}${text === "" ? "" : `?${text}`}`;
}

export function createListing(app: ChosenApp, input: CreateListingInput): Promise<CreatedApp> {
  const options = { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(input) } as const;
  return call(app.credentials, createdApp, appPath(app, "listing"), options);
}

export function readStatus(app: ChosenApp): Promise<AppStatus> {
  return call(app.credentials, appStatus, appPath(app, "status"), { method: "GET" });
}

export function listVersions(app: ChosenApp, before?: string): Promise<AppVersions> {
  return call(app.credentials, appVersions, appPath(app, "versions", { before }), { method: "GET" });
}

export function submitVersion(app: ChosenApp, input: object): Promise<SubmittedVersion> {
  const options = { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(input) } as const;
  return call(app.credentials, submittedVersion, appPath(app, "reviews"), options);
}

export async function withdrawReview(app: ChosenApp, reviewId: string): Promise<void> {
  const path = appPath(app, `reviews/${encodeURIComponent(reviewId)}`);
  const { status, text } = await send(app.credentials, path, { method: "DELETE" });
  if (status !== 204) throw toFailure(app.credentials, status, text);
}

export function readLog(app: ChosenApp, query: object) {
  return call(app.credentials, appLogPage, appPath(app, "log", query), { method: "GET" });
}

export function listCalls(app: ChosenApp, query: object): Promise<CallPage> {
  return call(app.credentials, callPage, appPath(app, "calls", query), { method: "GET" });
}

export function readCall(app: ChosenApp, id: string): Promise<CallView> {
  const path = appPath(app, `calls/${encodeURIComponent(id)}`);
  return call(app.credentials, callView, path, { method: "GET" });
}

export function replay(app: ChosenApp, input: object): Promise<ReplayResult> {
  const options = { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(input) } as const;
  return call(app.credentials, replayResult, appPath(app, "replays"), options);
}
