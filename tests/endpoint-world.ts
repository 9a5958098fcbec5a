import { request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { createGateway } from "@/gateway/serve";
import type { Endpoint } from "@/lib/contract/catalog/manifest";
import { declaredRoutes } from "@/lib/server/installations/declared-routes";
import { upsertRoutes } from "@/lib/server/installations/queries";
import type { Platform } from "@/lib/server/platform/platform";
import type { Respond } from "./fake-app";
import {
  givenCredential,
  givenInstalledApp,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
} from "./test-platform";

export const CREDENTIAL = "pcc_test-credential-of-a-core";
export const FOREIGN = "pcc_test-credential-of-another";

const ENDPOINTS: Endpoint[] = [
  { path: "/settings", methods: ["GET"], access: "public", title: "Settings page" },
  { path: "/callbacks/*", methods: ["GET", "POST", "PUT", "DELETE"], access: "public", title: "Callbacks" },
  { path: "/callbacks/admin", methods: ["POST"], access: "core", title: "Administration" },
  { path: "/report", methods: ["GET"], access: "core", title: "Report" },
];

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

interface Answered {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

export const codeOf = ({ body }: Answered): unknown => JSON.parse(body).code;

/** An app's page. */
export const html: Respond = (response) =>
  void response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=1" }).end("<h1>Settings</h1>");

/** Before each test of a file, a gateway on loopback and an installation whose endpoints are open. */
export function givenEndpoints(platform: Platform) {
  let server: Server;
  const world = { version: { id: "" }, installation: { id: "" }, base: "" };

  beforeEach(async () => {
    const manifest = { ...SAMPLE_MANIFEST, core: { ...SAMPLE_MANIFEST.core, endpoints: ENDPOINTS } };
    const { version, tenant, installation } = await givenInstalledApp(platform, { manifest });
    const { tenant: foreign } = await givenTenant(platform, await givenMember(platform, "alpine"));
    await givenCredential(platform, tenant.id, CREDENTIAL);
    await givenCredential(platform, foreign.id, FOREIGN);
    await upsertRoutes(platform.db, installation.id, declaredRoutes(manifest, true));
    Object.assign(world, { version, installation, base: `/r/${installation.routeBase}` });
    server = createGateway(platform);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function port(): number {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Opens a request with the path unchanged; `fetch` would normalize it. */
  function open({ method = "GET", path, headers = {} }: Omit<Sent, "body">) {
    return httpRequest({ host: "127.0.0.1", port: port(), method, path, headers, agent: false });
  }

  function send({ body, ...sent }: Sent): Promise<Answered> {
    return new Promise((resolve, reject) => {
      open(sent)
        .on("response", (response) => {
          const { statusCode: status = 0, headers } = response;
          text(response).then((whole) => resolve({ status, headers, body: whole }), reject);
        })
        .on("error", reject)
        .end(body);
    });
  }

  const theAttempt = async () => one(await platform.db.select().from(attempts));
  return { world, open, send, theAttempt, origin: () => `http://127.0.0.1:${port()}` };
}
