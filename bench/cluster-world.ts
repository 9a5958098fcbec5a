/**
 * For bench/cluster.ts: the chart's release in the cluster of KUBECONFIG, its database as this machine reaches it, apps that are published
 * and launched there, and a steady load.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { eq } from "drizzle-orm";
import { Agent, request } from "undici";
import { v7 } from "uuid";
import { z } from "zod";
import { apiKeys } from "@/drizzle/schema/accounts";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { hashApiKey } from "@/lib/server/accounts/credentials/authenticate-api-key";
import { notifyWorker } from "@/lib/server/platform/database/work-channel";
import { readEnvironment } from "@/lib/server/platform/environment";
import type { Platform } from "@/lib/server/platform/platform";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { createAutofill, createEvent } from "@/tests/chaos/core";
import {
  givenCredential,
  givenInstallation,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
  SAMPLE_TEXT,
} from "@/tests/test-platform";

const execute = promisify(execFile);
const {
  PLATFORM_TEST_RELEASE: RELEASE = "platform",
  PLATFORM_TEST_NAMESPACE = "platform",
  PLATFORM_TEST_APPS_NAMESPACE: APPS = "platform-apps",
  PLATFORM_TEST_BASE_IMAGE: BASE = "node:24-alpine",
} = process.env;
export const NAMESPACE = PLATFORM_TEST_NAMESPACE;
const LAUNCHED_WITHIN_MS = 180_000;
const READY_WITHIN_MS = 300_000;
export const PARTS = ["web", "gateway", "worker"] as const;
/** Of each part, and of the app. */
export const WANTED = 2;

export async function run(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(command, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

export const kubectl = (...args: string[]) => run("kubectl", "--namespace", NAMESPACE, ...args);
export const kubectlApps = (...args: string[]) => run("kubectl", "--namespace", APPS, ...args);
export const nameOf = (part: string) => `${RELEASE}-${part}`;

/** Installs the release, or changes it. */
export function upgrade(valuesFiles: readonly string[], ...more: string[]): Promise<string> {
  const values = valuesFiles.flatMap((file) => ["--values", file]);
  const what = ["upgrade", "--install", RELEASE, "deploy/chart", "--namespace", NAMESPACE];
  return run("helm", ...what, ...values, "--wait", "--timeout", "15m", ...more);
}

export const testRelease = () => run("helm", "test", RELEASE, "--namespace", NAMESPACE);

/** A platform on the release's database, to set up and to look at what was stored. */
export async function connectDatabase(): Promise<Platform> {
  const secret = async (key: string) => {
    const path = `jsonpath={.data.${key}}`;
    return Buffer.from(
      await kubectl("get", "secret", nameOf("trial"), "--output", path),
      "base64",
    ).toString();
  };
  const url = new URL(await secret("DATABASE_URL"));
  url.hostname = await findAddress("postgresql");
  return createPlatform(
    readEnvironment({
      DATABASE_URL: url.href,
      PLATFORM_MASTER_KEYS: await secret("PLATFORM_MASTER_KEYS"),
      PLATFORM_LOG_LEVEL: "silent",
      PLATFORM_DATABASE_CONNECTIONS: "3",
    }),
    "bench",
  );
}

export const findAddress = (service: string) =>
  kubectl("get", "service", nameOf(service), "--output", "jsonpath={.spec.clusterIP}");

const podsShape = z.object({
  items: z.array(
    z.object({
      metadata: z.object({
        name: z.string(),
        labels: z.record(z.string(), z.string()).default({}),
        deletionTimestamp: z.string().optional(),
      }),
      spec: z.object({ nodeName: z.string().optional() }),
      status: z.object({
        podIP: z.string().optional(),
        conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
      }),
    }),
  ),
});

/** The Pods of a part, or of a version, that are ready and stay. */
export async function listReady(selector: string, ask = kubectl) {
  const { items } = podsShape.parse(
    JSON.parse(await ask("get", "pods", "--output", "json", "--selector", selector)),
  );
  return items.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      status.conditions.some((condition) => condition.type === "Ready" && condition.status === "True"),
  );
}

export const selectPart = (part: string) =>
  `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component=${part}`;
export const selectApp = (versionId: string) => `platform.version=${versionId}`;

/** Resolves when all parts and the app run as often as they should, twice in a row. */
export async function untilWanted(versionId: string): Promise<void> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  for (let times = 0; times < 2;) {
    const counts = await Promise.all([
      ...PARTS.map(async (part) => (await listReady(selectPart(part))).length),
      listReady(selectApp(versionId), kubectlApps).then(({ length }) => length),
    ]).catch(() => [0]);
    times = counts.every((count) => count >= WANTED) ? times + 1 : 0;
    if (Date.now() > giveUpAt) throw new Error(`The wanted set doesn't run: ${counts.join(", ")}`);
    await sleep(500);
  }
}

export interface Place {
  name: string;
  host: string;
  port: number;
}

export interface LaunchedApp {
  versionId: string;
  autofillUrl: string;
  /** `Authorization` of the tenant's core. */
  core: string;
  installationId: string;
}

/** Publishes bench/cluster-app.mjs with the command line through a gateway, and launches it. */
export async function launchApp(
  platform: Platform,
  slug: string,
  replicas: number,
  targets: readonly Place[],
): Promise<LaunchedApp> {
  const owner = await givenMember(platform, slug);
  const organizationId = owner.organization.id;
  const listing = one(
    await platform.db
      .insert(listings)
      .values({ organizationId, appName: "load", ...SAMPLE_TEXT, state: "PUBLIC", replicas })
      .returning(),
  );
  const publisher = { organizationId, userId: owner.userId, name: `${slug}/load` };
  await publishApp(platform, publisher, { "targets.json": JSON.stringify(targets) });
  const version = one(
    await platform.db
      .update(versions)
      .set({ verifiedAt: new Date() })
      .where(eq(versions.listingId, listing.id))
      .returning(),
  );
  const { tenant } = await givenTenant(platform, owner);
  const credential = `pcc_${randomBytes(32).toString("base64url")}`;
  await givenCredential(platform, tenant.id, credential);
  const { installation, route } = await givenInstallation(platform, owner, version, tenant.id);
  await platform.db.transaction(async (tx) => {
    await tx.update(installations).set({ state: "LAUNCHING" }).where(eq(installations.id, installation.id));
    await notifyWorker(tx);
  });
  const giveUpAt = Date.now() + LAUNCHED_WITHIN_MS;
  for (;;) {
    const { rows } = await platform.pool.query<{ state: string; reason: string | null }>(
      "select state, reason from installations where id = $1",
      [installation.id],
    );
    if (rows[0]?.state === "RUNNING") break;
    if (rows[0]?.state === "ERROR" || Date.now() > giveUpAt)
      throw new Error(`${slug}'s app was not launched: ${rows[0]?.state} ${rows[0]?.reason}`);
    await sleep(200);
  }
  const routeId = route("autofill").id;
  const gateway = `http://${await findAddress("gateway")}`;
  const core = `Bearer ${credential}`;
  return {
    versionId: version.id,
    autofillUrl: `${gateway}/r/${routeId}`,
    core,
    installationId: installation.id,
  };
}

interface Publication {
  organizationId: string;
  userId: string;
  name: string;
}

/** Publishes an image with so much in it that no compression makes smaller. Resolves with the state of its version. */
export async function publishLarge(platform: Platform, slug: string, bytes: number): Promise<string> {
  const { organization, userId } = await givenMember(platform, slug);
  const organizationId = organization.id;
  const listing = one(
    await platform.db
      .insert(listings)
      .values({ organizationId, appName: "large", ...SAMPLE_TEXT })
      .returning(),
  );
  const publisher = { organizationId, userId, name: `${slug}/large` };
  await publishApp(platform, publisher, { "targets.json": "[]", "large.bin": randomBytes(bytes) });
  const [version] = await platform.db.select().from(versions).where(eq(versions.listingId, listing.id));
  return version?.imageDigest ?? "none";
}

/** How much of uploads that are not published yet the store has. */
export async function readStaged({ pool }: Platform): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    "select coalesce(sum(bytes), 0)::float8 as bytes from upload_pieces where accepted_at is not null",
  );
  return rows[0]?.bytes ?? 0;
}

/** The files that come into the image, beside the manifest and the program. */
async function publishApp(
  platform: Platform,
  { organizationId, userId, name }: Publication,
  files: Record<string, string | Buffer>,
): Promise<void> {
  const apiKey = `pak_${randomBytes(32).toString("base64url")}`;
  const clientId = `pci_${v7()}`;
  const key = { organizationId, name: "Bench", clientId, keyHash: hashApiKey(apiKey), createdBy: userId };
  await platform.db.insert(apiKeys).values(key);
  const folder = await mkdtemp(path.join(tmpdir(), "platform-bench-"));
  try {
    const { lifecycle: _, ...core } = SAMPLE_MANIFEST.core ?? {};
    const manifest = path.join(folder, "platform-app.json");
    await writeFile(manifest, JSON.stringify({ ...SAMPLE_MANIFEST, core, name, version: "1.0.0" }));
    for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content);
    await cp("bench/cluster-app.mjs", path.join(folder, "server.mjs"));
    const dockerfile = `FROM ${BASE}\nCOPY platform-app.json ${Object.keys(files).join(" ")} server.mjs /\nENTRYPOINT ["node", "/server.mjs"]\n`;
    await writeFile(path.join(folder, "Dockerfile"), dockerfile);
    const tag = `platform-bench/${name}`;
    await run("docker", "build", "--quiet", "--tag", tag, folder);
    const url = `http://${await findAddress("gateway")}`;
    await execute("node_modules/.bin/tsx", ["cli/main.ts", "publish", tag, "--manifest", manifest], {
      env: { ...process.env, PLATFORM_URL: url, PLATFORM_CLIENT_ID: clientId, PLATFORM_API_KEY: apiKey },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const reachShape = z.object({ data: z.object({ fresh: z.string(), open: z.string(), tried: z.string() }) });

/** Asks an app which places it reaches now, and which it reached when it was fresh. */
export async function readReach({ autofillUrl, core }: LaunchedApp) {
  const { body, statusCode } = await request(autofillUrl, {
    method: "POST",
    headers: { authorization: core, "content-type": "application/json" },
    body: JSON.stringify({ operation: "newBusiness.create", data: { probe: true } }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The app doesn't say what it reaches: ${statusCode} ${text}`);
  const { data } = reachShape.parse(JSON.parse(text));
  const fresh = z.record(z.string(), z.number()).parse(JSON.parse(data.fresh));
  return { fresh, open: z.array(z.string()).parse(JSON.parse(data.open)), tried: Number(data.tried) };
}

export interface Counts {
  calls: number;
  callsLost: number;
  events: number;
  eventsRefused: number;
  pages: number;
  pagesLost: number;
}

/** A core and a browser that send at a fixed pace, on connections that they keep, and never send a call twice. */
export class SteadyLoad {
  readonly counts: Counts = { calls: 0, callsLost: 0, events: 0, eventsRefused: 0, pages: 0, pagesLost: 0 };
  readonly accepted: string[] = [];
  /** What was answered instead, with the time. */
  readonly faults: string[] = [];
  readonly #agent = new Agent({ connections: 16, headersTimeout: 15_000, connectTimeout: 5_000 });
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #pending = new Set<Promise<void>>();

  constructor(
    app: LaunchedApp,
    pagesUrl: string,
    { calls, events, pages }: { calls: number; events: number; pages: number },
  ) {
    const eventsUrl = new URL("/core/v1/events", app.autofillUrl).href;
    let number = 0;
    this.#every(1_000 / calls, async () => {
      this.counts.calls += 1;
      if (!(await this.#send("call", app.autofillUrl, 200, app.core, createAutofill(0))))
        this.counts.callsLost += 1;
    });
    this.#every(1_000 / events, async () => {
      const event = createEvent(`evt-${(number += 1)}`, 0);
      this.counts.events += 1;
      // As a core must, the same event again until it is accepted.
      while (!(await this.#send("event", eventsUrl, 202, app.core, event))) {
        this.counts.eventsRefused += 1;
        await sleep(500);
      }
      this.accepted.push(event.id);
    });
    this.#every(1_000 / pages, async () => {
      this.counts.pages += 1;
      if (!(await this.#send("page", pagesUrl, 200))) this.counts.pagesLost += 1;
    });
  }

  async end(): Promise<void> {
    this.#timers.forEach(clearInterval);
    await Promise.all(this.#pending);
    await this.#agent.close();
  }

  #every(ms: number, work: () => Promise<void>): void {
    const begin = () => {
      const pending = work().finally(() => this.#pending.delete(pending));
      this.#pending.add(pending);
    };
    this.#timers.push(setInterval(begin, ms));
  }

  async #send(kind: string, url: string, expected: number, authorization?: string, body?: unknown) {
    const isWrite = body !== undefined;
    const answer = await request(url, {
      method: isWrite ? "POST" : "GET",
      headers: isWrite ? { authorization, "content-type": "application/json" } : {},
      body: isWrite ? JSON.stringify(body) : undefined,
      dispatcher: this.#agent,
    }).then(
      async ({ statusCode, body }) => ({ status: statusCode, text: await body.text() }),
      (error: unknown) => ({ status: 0, text: String(error) }),
    );
    if (answer.status === expected) return true;
    const time = new Date().toISOString().slice(11, 23);
    this.faults.push(`${time} ${kind} ${answer.status} ${answer.text.slice(0, 160)}`);
    return false;
  }
}
