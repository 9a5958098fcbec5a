/** P4: every route of the gateway × every credential × own, foreign and absent objects, against the list of routes. */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { routes } from "@/drizzle/schema/calls";
import { createGateway } from "@/gateway/serve";
import { API_KEY_SCOPES } from "@/lib/contract/accounts/api-key-scope";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { createTar, dockerArchive } from "@/lib/server/images/archive/test-archives";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { type GatewayRoute, ROUTES } from "@/lib/server/surface/api/all-routes";
import type { CredentialName } from "@/lib/server/surface/api/routes/credentials";
import { givenInstance } from "../fake-app";
import { sealSession, sessionCookie } from "../seal-session";
import { SAMPLE_MANIFEST, testPlatform } from "../test-platform";
import { absentIds, type Ids } from "./side";
import { basic, givenWorld, type World } from "./world";

const platform = await testPlatform();

interface Caller {
  name: string;
  headers: Record<string, string>;
  /** What the credential opens; undefined for one that opens nothing here. */
  opens?: CredentialName[];
  home?: "acme" | "bolt";
}

const LIVE_KEY = "a key that works";

test(
  "every gateway route answers every credential about every object as the policy table says",
  { timeout: 120_000 },
  async () => {
    const world = await givenWorld(platform, "http://127.0.0.1:9");
    const { acme, bolt } = world;
    for (const { ids } of [acme, bolt]) {
      await givenInstance(platform, ids.runningVersionId, (response) => void response.end("{}"));
      await platform.db
        .insert(routes)
        .values([
          { ...endpoint(ids, "/opened", "public"), openedAt: new Date() },
          endpoint(ids, "/of-the-core", "core"),
        ]);
    }
    const callers = await listCallers(world);
    const server = createGateway(platform);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    const mismatches: string[] = [];
    let cells = 0;
    for (const caller of callers) {
      const [mine, others] = caller.home === "bolt" ? [bolt, acme] : [acme, bolt];
      for (const { name: route, credential } of ROUTES) {
        const seen = new Map<string, string>();
        for (const request of await listRequests(route, mine, others)) {
          cells += 1;
          const [method] = route.split(" ");
          const answer = await fetch(base + request.path, {
            method: method === "ANY" ? "GET" : method,
            headers: { "content-type": "application/json", ...request.headers, ...caller.headers },
            body: request.body,
          });
          const text = request.isStream === true && answer.ok ? await readStart(answer) : await answer.text();
          seen.set(request.about, `${answer.status} ${text}`);
          const expected = expectStatus(caller, credential.name, request);
          if (answer.status !== expected)
            mismatches.push(
              `${caller.name}: ${route}, ${request.about}: ${answer.status} instead of ${expected}: ${text.slice(0, 200)}`,
            );
        }
        if (seen.get("foreign")?.startsWith("404") && seen.get("foreign") !== seen.get("absent"))
          mismatches.push(`${caller.name}: ${route}: foreign and absent differ`);
      }
    }
    await new Promise((resolve) => server.close(resolve));
    console.log(
      `figure gateway_matrix_cells ${cells} cells\nfigure gateway_matrix_mismatches ${mismatches.length} cells`,
    );
    expect(mismatches).toEqual([]);
  },
);

/** The beginning of a stream, which the client then leaves. */
async function readStart({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? []).toString();
}

function endpoint(ids: Ids, path: string, access: "public" | "core") {
  return { installationId: ids.installationId, kind: "endpoint" as const, path, patterns: ["GET"], access };
}

interface Sent {
  about: "any" | "own" | "foreign" | "absent" | "foreign name" | typeof LIVE_KEY;
  path: string;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** For who may. */
  ok: number;
  /** Its body doesn't end. */
  isStream?: boolean;
  /** What the request itself requires, where the route leaves that to its object. */
  requires?: CredentialName;
}

function expectStatus(
  { opens = [] }: Caller,
  credential: CredentialName,
  { about, ok, requires }: Sent,
): number {
  const needed = requires ?? credential;
  if (needed === "nothing" || needed === "state-key") return ok;
  if (!opens.includes(needed)) return needed.startsWith("api-key") && opens.includes("api-key") ? 403 : 401;
  return about === "foreign" || about === "absent" ? 404 : ok;
}

async function listCallers({ acme, bolt, people }: World): Promise<Caller[]> {
  const { owner } = acme.members;
  const withKey = async (scopes: readonly (typeof API_KEY_SCOPES)[number][]) =>
    createApiKey(platform, owner, "Matrix", { scopes: [...scopes] });
  const scoped = await Promise.all(
    API_KEY_SCOPES.map(async (scope) => ({
      name: `key with the scope ${scope}`,
      headers: { authorization: basic(await withKey([scope])) },
      opens: ["api-key", `api-key ${scope}`] satisfies CredentialName[],
      home: "acme" as const,
    })),
  );
  const everything = ["api-key", ...API_KEY_SCOPES.map((scope) => `api-key ${scope}` as const)] as const;
  const [expired, revoked] = [await withKey(API_KEY_SCOPES), await withKey(API_KEY_SCOPES)];
  await platform.pool.query("update api_keys set expires_at = now() where id = $1", [expired.apiKeyId]);
  await platform.pool.query("update api_keys set revoked_at = now() where id = $1", [revoked.apiKeyId]);
  const cookies = await Promise.all(
    people.flatMap(({ name, actor }) =>
      actor === undefined
        ? []
        : [
            sealSession(platform, actor.sessionId).then((value) => ({
              name: `session of the ${name}`,
              headers: { cookie: `${sessionCookie(platform)}=${value}` },
            })),
          ],
    ),
  );
  return [
    { name: "nobody", headers: {} },
    ...["Bearer nonsense", "Basic bm9uZTpub25l", `Bearer ${"x".repeat(100)}`].map((authorization) => ({
      name: authorization,
      headers: { authorization },
    })),
    ...cookies,
    ...scoped,
    {
      name: "key of another organization",
      headers: { authorization: basic(bolt.apiKey) },
      opens: [...everything],
      home: "bolt",
    },
    { name: "expired key", headers: { authorization: basic(expired) } },
    { name: "revoked key", headers: { authorization: basic(revoked) } },
    {
      name: "key of another client",
      headers: { authorization: basic({ ...acme.apiKey, clientId: bolt.apiKey.clientId }) },
    },
    { name: "key as a core credential", headers: { authorization: `Bearer ${acme.apiKey.apiKey}` } },
    {
      name: "core",
      headers: { authorization: `Bearer ${acme.coreCredential}` },
      opens: ["core-credential"],
      home: "acme",
    },
    {
      name: "another core",
      headers: { authorization: `Bearer ${bolt.coreCredential}` },
      opens: ["core-credential"],
      home: "bolt",
    },
    { name: "state key as a credential", headers: { authorization: `Bearer ${sealKey(acme.ids)}` } },
    {
      name: "unknown core",
      headers: { authorization: `Bearer pcc_${randomBytes(32).toString("base64url")}` },
    },
  ];
}

function sealKey({ installationId, routeId }: Ids, { epoch = 0, ms = 60_000 } = {}): string {
  const expiresAt = new Date(Date.now() + ms);
  return sealStateKey(platform.keyring, {
    installationId,
    routeId,
    attemptId: v7(),
    revision: 1,
    epoch,
    expiresAt,
  });
}

let releases = 0;

const UPLOAD = `sha256:${"1".repeat(64)}`;
const UPLOAD_METADATA = `digest ${Buffer.from(UPLOAD).toString("base64")}`;
const PATCH_HEADERS = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };

async function listRequests(
  route: GatewayRoute,
  mine: World["acme"],
  others: World["acme"],
): Promise<Sent[]> {
  const objects = [
    { about: "own" as const, ids: mine.ids, base: mine.routeBase },
    { about: "foreign" as const, ids: others.ids, base: others.routeBase },
    { about: "absent" as const, ids: absentIds(mine.ids), base: v7() },
  ];
  // A name of another organization is wrong, whether or not there is such an app.
  const apps = [
    { about: "own" as const, app: `${mine.slug}/${mine.slug}-listed`, ok: 0 },
    { about: "absent" as const, app: `${mine.slug}/absent`, ok: 0 },
    { about: "foreign name" as const, app: `${others.slug}/${others.slug}-listed`, ok: 400 },
    { about: "foreign name" as const, app: `${others.slug}/absent`, ok: 400 },
  ];
  const [ownApp, otherApp] = [`${mine.slug}/${mine.slug}-listed`, `${others.slug}/${others.slug}-listed`];
  // Where a wrong name is not the manifest's, it looks absent.
  const named = apps.map((each) => ({ ...each, ok: each.ok === 400 ? 404 : each.ok }));
  switch (route) {
    case "GET /live":
    case "GET /ready":
    case "GET /health":
    case "GET /.well-known/jwks.json":
    case "GET /openapi.json":
    case "GET /publish/v1/whoami":
      return [{ about: "any", path: route.slice("GET ".length), ok: 200 }];
    // The key is the credential: who sends it counts nothing.
    case "GET /state/<key>":
    case "GET /state/<key>/webhook-secrets": {
      const at = (key: string) => route.slice("GET ".length).replace("<key>", key);
      return [
        { about: LIVE_KEY, path: at(sealKey(mine.ids)), ok: 200 },
        { about: LIVE_KEY, path: at(sealKey(others.ids)), ok: 200 },
        { about: "foreign", path: at(sealKey(mine.ids, { epoch: 1 })), ok: 404 },
        { about: "foreign", path: at(sealKey(mine.ids, { ms: -1 })), ok: 404 },
        { about: "absent", path: at(`psk_${randomBytes(64).toString("base64url")}`), ok: 404 },
      ];
    }
    case "POST /core/v1/events": {
      const event = { id: v7(), type: "policy.issued", timestamp: new Date().toISOString(), data: {} };
      return [{ about: "any", path: "/core/v1/events", body: JSON.stringify(event), ok: 202 }];
    }
    case "POST /r/<routeId>": {
      const body = JSON.stringify({ operation: "newBusiness.create" });
      return objects.map(({ about, ids }) => ({ about, path: `/r/${ids.routeId}`, body, ok: 200 }));
    }
    // No app has an endpoint at "/".
    case "GET /r/<routeId>":
      return objects.map(({ base }) => ({
        about: LIVE_KEY,
        requires: "nothing",
        path: `/r/${base}`,
        ok: 405,
      }));
    case "ANY /r/<routeBase>/<path...>":
      return objects.flatMap(({ about, base }): Sent[] => {
        const unknown = about === "absent";
        const open = { about: LIVE_KEY, requires: "nothing", ok: unknown ? 404 : 200 } as const;
        return [
          { ...open, path: `/r/${base}/opened` },
          // The customer has not opened it.
          { ...open, path: `/r/${base}/open`, ok: 404 },
          {
            about,
            path: `/r/${base}/of-the-core`,
            requires: unknown ? "nothing" : "core-credential",
            ok: unknown ? 404 : 200,
          },
        ];
      });
    case "POST /publish/v1/apps/<organization>/<app>/listing": {
      const body = JSON.stringify({ title: "VIN lookup", about: { product: "Looks up a VIN." } });
      const at = (app: string) => `/publish/v1/apps/${app}/listing`;
      return [
        { about: "own", path: at(ownApp), body, ok: 201 },
        // What doesn't exist is created.
        { about: "any", path: at(`${mine.slug}/created`), body, ok: 201 },
        { about: "foreign name", path: at(otherApp), body, ok: 404 },
        { about: "foreign name", path: at(`${others.slug}/absent`), body, ok: 404 },
      ];
    }
    case "POST /publish/v1/apps/<organization>/<app>/versions":
      return Promise.all(
        apps.map(async ({ about, app, ok }) => {
          releases += 1;
          const manifest = { ...SAMPLE_MANIFEST, name: app, version: `3.${releases}.0` };
          const file = { name: "platform-app.json", content: JSON.stringify(manifest) };
          const body = new Uint8Array(await dockerArchive({ layers: [await createTar([file])] }));
          const headers = { "content-type": "application/x-tar" };
          return { about, path: `/publish/v1/apps/${app}/versions`, body, headers, ok: ok || 201 };
        }),
      );
    case "POST /publish/v1/uploads": {
      const headers = { "tus-resumable": "1.0.0", "upload-length": "1", "upload-metadata": UPLOAD_METADATA };
      return [{ about: "any", path: "/publish/v1/uploads", headers, ok: 201 }];
    }
    case "HEAD /publish/v1/uploads/<digest>":
    case "PATCH /publish/v1/uploads/<digest>": {
      // Begun by the request above. What another organization has begun doesn't exist.
      const at = (digest: string) => `/publish/v1/uploads/${digest}`;
      const isPatch = route.startsWith("PATCH");
      const headers = { "tus-resumable": "1.0.0", ...(isPatch && PATCH_HEADERS) };
      return [
        { about: "own", path: at(UPLOAD), headers, ok: isPatch ? 204 : 200 },
        { about: "absent", path: at(`sha256:${"0".repeat(64)}`), headers, ok: 404 },
        { about: "absent", path: at("nonsense"), headers, ok: 404 },
      ];
    }
    case "PUT /publish/v1/apps/<organization>/<app>/versions/<version>/notes": {
      const body = JSON.stringify({ notes: "Faster." });
      // No moderator has the version of the draft.
      const at = (app: string) => `/publish/v1/apps/${app.replace("-listed", "-draft")}/versions/1.4.0/notes`;
      return apps.map(({ about, app, ok }) => ({ about, path: at(app), body, ok: ok || 200 }));
    }
    case "GET /publish/v1/apps/<organization>/<app>/status":
    case "GET /publish/v1/apps/<organization>/<app>/versions":
    case "GET /publish/v1/apps/<organization>/<app>/log":
    case "GET /publish/v1/apps/<organization>/<app>/log/stream":
    case "GET /publish/v1/apps/<organization>/<app>/calls":
    case "GET /publish/v1/apps/<organization>/<app>/calls/stream": {
      const isStream = route.endsWith("/stream");
      const at = (app: string) => route.slice("GET ".length).replace("<organization>/<app>", app);
      return named.map(({ about, app, ok }) => ({ about, path: at(app), ok: ok || 200, isStream }));
    }
    case "GET /publish/v1/apps/<organization>/<app>/calls/<callId>": {
      const at = (app: string, id: string) => `/publish/v1/apps/${app}/calls/${id}`;
      return [
        ...objects.map(({ about, ids }) => ({ about, path: at(ownApp, ids.attemptId), ok: 200 })),
        // The organization's own call, but of another app.
        { about: "any", path: at(`${mine.slug}/${mine.slug}-draft`, mine.ids.attemptId), ok: 404 },
        { about: "any", path: at(otherApp, others.ids.attemptId), ok: 404 },
      ];
    }
    case "POST /publish/v1/apps/<organization>/<app>/reviews":
      // Its newest version is under review already.
      return named.map(({ about, app, ok }) => ({
        about,
        path: `/publish/v1/apps/${app}/reviews`,
        body: "{}",
        ok: ok || 409,
      }));
    case "DELETE /publish/v1/apps/<organization>/<app>/reviews/<reviewId>": {
      const at = (app: string, id: string) => `/publish/v1/apps/${app}/reviews/${id}`;
      return [
        { about: "any", path: at(`${mine.slug}/${mine.slug}-draft`, mine.ids.reviewId), ok: 404 },
        { about: "any", path: at(otherApp, others.ids.reviewId), ok: 404 },
        ...objects.map(({ about, ids }) => ({ about, path: at(ownApp, ids.reviewId), ok: 204 })),
      ];
    }
    case "POST /publish/v1/apps/<organization>/<app>/replays": {
      const replay = (deliveryId: string) => JSON.stringify({ deliveryIds: [deliveryId] });
      const path = `/publish/v1/apps/${ownApp}/replays`;
      return [
        // Deliveries to production are the operators', and those of others don't exist.
        { about: "any", path, body: replay(mine.ids.deliveryId), ok: 403 },
        { about: "any", path, body: replay(others.ids.deliveryId), ok: 200 },
        { about: "any", path, body: '{"filter":{}}', ok: 200 },
        ...named.map(({ about, app, ok }) => ({
          about,
          path: `/publish/v1/apps/${app}/replays`,
          ok: ok || 200,
          body: replay(v7()),
        })),
      ];
    }
    case "GET /publish/v1/apps/<organization>/<app>/manifest":
      return apps.map(({ about, app, ok }) => ({
        about,
        path: `/publish/v1/apps/${app}/manifest`,
        ok: ok || 200,
      }));
    case "PUT /publish/v1/apps/<organization>/<app>/manifest": {
      const body = JSON.stringify({ text: "{}", revision: null });
      return apps.map(({ about, app, ok }) => ({
        about,
        path: `/publish/v1/apps/${app}/manifest`,
        body,
        ok: ok || 200,
      }));
    }
  }
}
