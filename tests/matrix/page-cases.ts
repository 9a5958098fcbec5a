/** What each page returns to visitors that the policy table admits, and how the framework requests pages on its own. */
import type { PagePath } from "@/lib/domain/accounts/policy";
import type { Relation } from "./cases";
import type { Ids } from "./side";
import type { Person } from "./world";

export interface PageCase {
  path: PagePath;
  /** For permitted visitors. 307: it redirects. */
  ok?: number;
  /** The end of the name of the app that the page is about. */
  app?: "listed" | "draft" | "suspended";
  query?: (ids: Ids) => string;
  /** Whether unknown objects are asked about; they are by default. */
  absent?: false;
  /** Rules beside the policy table. Undefined: the table decides. */
  rule?: (person: Person, relation: Relation) => number | undefined;
}

/** Everybody sees public listings; their organization and moderators see the others too. */
const published: PageCase["rule"] = (_person, relation) => (relation === "absent" ? 404 : 200);
const unpublished: PageCase["rule"] = ({ actor, home }, relation) =>
  relation !== "absent" &&
  actor?.lacksSecondFactor !== true &&
  (actor?.moderator === true || (relation === "own" && home !== undefined))
    ? 200
    : 404;
const signedIn = ({ actor }: Person) => actor !== undefined;
const judged: PageCase["rule"] = (_person, relation) => (relation === "absent" ? 404 : 200);

/** Pages that are about no object, or about one in the simplest way, have no row. */
const RULES: Partial<Record<PagePath, Omit<PageCase, "path">[]>> = {
  "/marketplace/[organization]/[app]": [
    { app: "listed", rule: published },
    { app: "draft", rule: unpublished },
    { app: "suspended", rule: unpublished },
  ],
  "/marketplace/[organization]/[app]/report": [
    { app: "listed", rule: published },
    { app: "draft", ok: 404 },
    { app: "suspended", ok: 404 },
  ],
  "/publishers/[slug]": [{ rule: published }],
  "/launch/[organization]/[app]": [
    { app: "listed", rule: published },
    // Only its publisher's Test Launches.
    { app: "draft", ok: 404 },
    { app: "draft", query: () => "test=1" },
    { app: "suspended", ok: 404 },
  ],
  "/sign-in": [{ rule: (person) => (signedIn(person) ? 307 : 200) }],
  "/sign-up": [{ rule: (person) => (signedIn(person) ? 307 : 200) }],
  "/sign-out": [{ rule: (person) => (signedIn(person) ? 200 : 307) }],
  "/": [{ rule: (person) => (signedIn(person) ? 307 : 200) }],
  // Whoever has the link. Unknown ones are counted; the matrix of the handlers asks them.
  "/invitations/[token]": [{ rule: () => 200, absent: false }],
  "/docs/[doc]": [{ rule: () => 200, absent: false }],
  "/docs/[doc]/[part]": [{ rule: () => 200, absent: false }],
  "/organization/switch": [
    {
      ok: 307,
      query: ({ organizationId }) => `to=${organizationId}&next=/home`,
      rule: ({ home }, relation) => (relation === "own" && home === undefined ? 404 : undefined),
    },
  ],
  "/moderation/[reviewId]": [{ rule: judged }],
  "/moderation/listings/[listingId]": [{ rule: judged }],
};

export function casesOf(path: PagePath): PageCase[] {
  return (RULES[path] ?? [{}]).map((one) => ({ path, ...one }));
}

/** The address of the page about the objects that `ids` name. */
export function fillPage(
  { path, app = "listed", query }: PageCase,
  ids: Ids,
): { url: string; values: Record<string, string> } {
  const named: Record<string, string> = {
    ...ids,
    organization: ids.slug,
    app: `${ids.slug}-${app}`,
    token: ids.invitationToken,
    revision: "1",
    doc: "errors",
    part: "manifest",
  };
  const names = [...path.matchAll(/\[(\w+)\]/g)].map(([, name = ""]) => name);
  const values = Object.fromEntries(names.map((name) => [name, named[name] ?? ""]));
  const url = path.replace(/\[(\w+)\]/g, (_match, name: string) => values[name] ?? "");
  return { url: query === undefined ? url : `${url}?${query(ids)}`, values };
}

/** How the client's router says what it shows already. `folders`: of the page's file below `app/`. */
function routerState(folders: readonly string[], values: Record<string, string>): unknown[] {
  const [folder, ...rest] = folders;
  if (folder === undefined) return ["__PAGE__", {}, null, "refetch"];
  const param = /^\[(\w+)\]$/.exec(folder)?.[1];
  const segment = param === undefined ? folder : [param, values[param] ?? "", "d", null];
  return [segment, { children: routerState(rest, values) }];
}

export interface Variant {
  query?: string;
  headers: Record<string, string>;
  /** The answer is what the router needs, not a page: its status says nothing. */
  isPayload?: true;
}

/** The same request with what only the framework sends to itself. */
export function listVariants(
  folders: readonly string[],
  values: Record<string, string>,
): Record<string, Variant> {
  const payload = { query: "_rsc=matrix", isPayload: true } as const;
  const prefetch = { rsc: "1", "next-router-prefetch": "1" };
  const tree = encodeURIComponent(JSON.stringify(["", { children: routerState(folders, values) }]));
  return {
    rsc: { ...payload, headers: { rsc: "1" } },
    prefetch: { ...payload, headers: prefetch },
    "prefetch of segments": {
      ...payload,
      headers: { ...prefetch, "next-router-segment-prefetch": "/_tree" },
    },
    "prefetch of everything": {
      ...payload,
      headers: { ...prefetch, "next-router-segment-prefetch": "/_full" },
    },
    "router state": {
      ...payload,
      headers: { rsc: "1", "next-router-state-tree": tree, "next-url": "/home" },
    },
    "hot reload": { ...payload, headers: { rsc: "1", "next-hmr-refresh": "1" } },
    "only _rsc": { query: "_rsc=matrix", headers: {} },
    "middleware's own request": {
      headers: {
        "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
        "x-middleware-invoke": "1",
        "x-middleware-next": "1",
        "x-middleware-rewrite": "/marketplace",
      },
    },
    "data of a page": { headers: { "x-nextjs-data": "1", purpose: "prefetch" } },
    "invoked path": {
      headers: {
        "x-invoke-path": "/marketplace",
        "x-invoke-output": "/marketplace",
        "x-invoke-query": "%7B%7D",
        "x-invoke-status": "200",
      },
    },
    "matched path": {
      headers: {
        "x-matched-path": "/marketplace",
        "x-now-route-matches": "1=marketplace",
        "x-nextjs-rewritten-path": "/marketplace",
        "x-prerender-revalidate": "1",
        "next-resume": "1",
      },
    },
    forwarded: {
      headers: {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-prefix": "/marketplace",
        "x-original-url": "/marketplace",
        "x-rewrite-url": "/marketplace",
        forwarded: "for=127.0.0.1;host=evil.example;proto=https",
        "x-http-method-override": "PUT",
        "x-platform-client-address": "127.0.0.1",
      },
    },
  };
}
