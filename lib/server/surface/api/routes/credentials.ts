/** What a route can require of its callers: how the caller is identified, and how the OpenAPI document says it. */
import type { ApiKeyScope } from "@/lib/contract/accounts/api-key-scope";
import { Problem, type ProblemCode } from "@/lib/contract/platform/problem";
import type { KeyAgent } from "@/lib/domain/platform/actor";
import {
  authenticateApiKey,
  type KeyHolder,
  toAgent,
} from "../../../accounts/credentials/authenticate-api-key";
import { recognizeCore, type RecognizedCore } from "../../../accounts/credentials/authenticate-core";
import { type ListingRow, selectOwnListing } from "../../../catalog/listing-queries";
import { describeMissingListing } from "../../../catalog/store-version";
import { readAddress, toNetwork } from "../../../platform/requests/read-request";
import type { Exchange } from "./exchange";

export type CredentialName =
  | "nothing"
  | "state-key"
  | "core-credential"
  | "as-declared"
  // Any API key, or one with this scope.
  | "api-key"
  | `api-key ${ApiKeyScope}`;

export interface Credential<Caller = unknown> {
  name: CredentialName;
  /** What proves who calls, as the documentation names it. */
  proof: string;
  /** Groups the routes of the OpenAPI document by who calls them. */
  tag: "State" | "Core" | "Endpoints" | "Publish" | "Platform";
  /** Names of security schemes of the OpenAPI document, any of which is enough. Empty for routes that ask for no header. */
  security: Partial<Record<"core" | "publisher", string[]>>[];
  problems: readonly ProblemCode[];
  /** Throws one of the problems. */
  identify: (exchange: Exchange) => Promise<Caller> | Caller;
}

export const NO_CREDENTIAL: Credential<undefined> = {
  name: "nothing",
  proof: "None",
  tag: "Platform",
  security: [],
  problems: [],
  identify: () => undefined,
};

/** The key is in the path, where OpenAPI has no scheme for it. Reading the state opens it, so it is not checked before. */
export const STATE_KEY: Credential<undefined> = {
  ...NO_CREDENTIAL,
  name: "state-key",
  proof: "State key, in the path",
  tag: "State",
};

/** The app's manifest declares whether callers need the tenant's core credential. It is found with the endpoint. */
export const AS_DECLARED: Credential<undefined> = {
  name: "as-declared",
  proof: "Core credential, if the endpoint is not public",
  tag: "Endpoints",
  security: [{}, { core: [] }],
  problems: ["WRONG_CREDENTIALS"],
  identify: () => undefined,
};

/** The statement that serves the request checks that the credential still works. */
export const CORE_CREDENTIAL: Credential<RecognizedCore> = {
  name: "core-credential",
  proof: "Core credential",
  tag: "Core",
  security: [{ core: [] }],
  problems: ["WRONG_CREDENTIALS"],
  identify: ({ platform, request }) => recognizeCore(platform, request.headers.authorization),
};

export function apiKey(scope?: ApiKeyScope): Credential<KeyHolder> {
  return {
    name: scope === undefined ? "api-key" : `api-key ${scope}`,
    proof: "API key",
    tag: "Publish",
    security: [{ publisher: [] }],
    problems: scope === undefined ? ["WRONG_CREDENTIALS"] : ["WRONG_CREDENTIALS", "NOT_ALLOWED"],
    identify: ({ platform, request }) => {
      const network = toNetwork(readAddress(platform.environment, request));
      return authenticateApiKey(platform, request.headers.authorization, { scope, network });
    },
  };
}

/** A key of the organization that the app in the path belongs to. The app is found before anything of the request is read. */
export function keyForApp(scope?: ApiKeyScope): Credential<{ agent: KeyAgent; app: OwnApp }> {
  const { identify, ...key } = apiKey(scope);
  return {
    ...key,
    problems: ["WRONG_CREDENTIALS", "NOT_ALLOWED", "NOT_FOUND"],
    identify: async (exchange) => {
      const agent = toAgent(await identify(exchange));
      return { agent, app: await findApp(exchange, agent) };
    },
  };
}

export interface OwnApp {
  /** `<org-name>/<app-name>`. */
  name: string;
  listing: ListingRow;
}

/** An app of the agent's organization, in any state. Throws NOT_FOUND, also for apps of other organizations. */
async function findApp(
  { platform, parts: [owner = "", app = ""] }: Exchange,
  agent: KeyAgent,
): Promise<OwnApp> {
  requireOwnOrganization(agent, owner);
  const { organization } = agent;
  const listing = await selectOwnListing(platform.db, organization.id, app);
  if (listing === undefined) throw new Problem("NOT_FOUND", describeMissingListing(organization.slug, app));
  return { name: `${organization.slug}/${listing.appName}`, listing };
}

/** Throws NOT_FOUND if the app in the path is another organization's. */
export function requireOwnOrganization({ organization }: KeyAgent, owner: string): void {
  if (owner === organization.slug) return;
  throw new Problem(
    "NOT_FOUND",
    `These credentials are for the organization "${organization.slug}", which has no access to apps of other organizations. Check the app's name, or log in for the other organization.`,
  );
}
