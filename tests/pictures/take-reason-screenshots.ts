/**
 * Runs apps that misbehave in real containers, through the product, and takes a screenshot of each page that says why an app
 * fails: `npm run screenshots:reasons [folder]`. Needs a container engine.
 */
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import Docker from "dockerode";
import { eq } from "drizzle-orm";
import { HARBOR, PUBLISHER } from "@/demo/accounts";
import { signInMember } from "@/demo/sign-in";
import { versions } from "@/drizzle/schema/catalog";
import { open, signInAs } from "@/e2e/fixtures";
import { readDatabaseUrl, type RunningPlatform, startPlatform, waitForDemo } from "@/e2e/start-platform";
import type { Member } from "@/lib/domain/platform/actor";
import { stopInstallation } from "@/lib/server/installations/command-installation";
import { launchInstallation } from "@/lib/server/installations/launch-installation";
import { readEnvironment } from "@/lib/server/platform/environment";
import type { Platform } from "@/lib/server/platform/platform";
import { findImage } from "@/lib/server/runtime/engines/docker-image";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { launchOptions } from "../browser/find-chromium.mjs";
import { buildMisbehavingImage } from "../containers/misbehaving-world";
import { givenListing, one, SAMPLE_MANIFEST } from "../test-platform";

/** How an app behaves, and the state in which its installation stays. */
const BEHAVIORS = {
  "crash-loop": "ERROR",
  "memory-hog": "ERROR",
  "wrong-port": "ERROR",
  "loopback-only": "ERROR",
  "no-listener": "ERROR",
  "never-healthy": "ERROR",
  "health-204": "ERROR",
  "health-301": "ERROR",
  "health-hangs": "ERROR",
  "no-command": "ERROR",
  "image-missing": "ERROR",
  "ignores-sigterm": "STOPPED",
  "crashes-later": "RUNNING",
} as const;
type Behavior = keyof typeof BEHAVIORS;

const THEMES = ["light", "dark"] as const;
const WIDTHS = [390, 1440] as const;
const REPOSITORY = "platform-test/misbehaving";
/** Apps that never answer are given up after a minute each, two at a time. */
const SETTLED_WITHIN_MS = 280_000;
const PARKED_TRIES = 120;

const folder = process.argv[2] ?? (await mkdtemp(path.join(tmpdir(), "platform-reasons-")));
const docker = new Docker();
const running = await startPlatform("auto");
const platform = await connect(running);
const browser = await chromium.launch(launchOptions());
try {
  await waitForDemo(running);
  await mkdir(folder, { recursive: true });
  const customer = await signInMember(platform, HARBOR);
  const publisher = await signInMember(platform, PUBLISHER);
  const installationIds = new Map<Behavior, string>();
  for (const behavior of listBehaviors())
    installationIds.set(behavior, await launch(behavior, publisher, customer));
  await stopOnceRunning(installationIds.get("ignores-sigterm") ?? "", customer);
  await untilSettled(installationIds);
  await parkByCrashing(installationIds.get("crashes-later") ?? "");
  for (const theme of THEMES)
    for (const width of WIDTHS) await takeAll(browser, theme, width, installationIds);
  console.log(`The screenshots are in ${folder}`);
} finally {
  await browser.close();
  await platform.pool.end();
  await running.stop();
}

function listBehaviors(): Behavior[] {
  const isBehavior = (name: string): name is Behavior => name in BEHAVIORS;
  return Object.keys(BEHAVIORS).filter(isBehavior);
}

async function connect({ dataDir }: RunningPlatform): Promise<Platform> {
  const secrets: { masterKeys: string } = JSON.parse(
    await readFile(path.join(dataDir, "secrets.json"), "utf8"),
  );
  const variables = {
    NODE_ENV: "development",
    DATABASE_URL: await readDatabaseUrl({ dataDir }),
    PLATFORM_MASTER_KEYS: secrets.masterKeys,
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_LOG_LEVEL: "silent",
  };
  return createPlatform(readEnvironment(variables), "screenshots");
}

async function buildImage(behavior: Behavior): Promise<string> {
  if (behavior === "image-missing") return `sha256:${"0".repeat(64)}`;
  if (behavior !== "no-command") return buildMisbehavingImage(docker, behavior);
  const base = await docker.createContainer({ Image: `${REPOSITORY}:crash-loop` });
  await base.commit({ repo: REPOSITORY, tag: behavior, changes: 'CMD ["/absent"]' });
  await base.remove();
  return (await findImage(docker, `${REPOSITORY}:${behavior}`))?.id ?? "";
}

async function launch(behavior: Behavior, publisher: Member, customer: Member): Promise<string> {
  const manifest = {
    ...SAMPLE_MANIFEST,
    app: { fields: [] },
    core: { autofill: SAMPLE_MANIFEST.core?.autofill },
  };
  const given = { appName: behavior, state: "PUBLIC", verified: true, manifest } as const;
  const { version } = await givenListing(platform, publisher, given);
  const imageDigest = await buildImage(behavior);
  await platform.db
    .update(versions)
    .set({ bundleKind: "image", imageDigest })
    .where(eq(versions.id, version.id));
  const { rows } = await platform.pool.query<{ id: string }>(
    "select id from tenants where organization_id = $1 order by id limit 1",
    [customer.organization.id],
  );
  const launched = await launchInstallation(platform, customer, {
    versionId: version.id,
    tenantId: one(rows).id,
    test: false,
    settings: {},
    mappings: {},
  });
  return launched.installationId;
}

async function readState(id: string): Promise<string> {
  const { rows } = await platform.pool.query<{ state: string }>(
    "select state from installations where id = $1",
    [id],
  );
  return one(rows).state;
}

async function stopOnceRunning(id: string, customer: Member): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS;
  while ((await readState(id)) !== "RUNNING" && Date.now() < until) await sleep(200);
  await stopInstallation(platform, customer, id);
}

async function untilSettled(installationIds: ReadonlyMap<Behavior, string>): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS;
  for (const [behavior, id] of installationIds)
    while ((await readState(id)) !== BEHAVIORS[behavior]) {
      if (Date.now() > until) throw new Error(`${behavior} is ${await readState(id)}`);
      await sleep(200);
    }
}

/** Its crashes become older, so that each restart follows at once. */
async function parkByCrashing(installationId: string): Promise<void> {
  for (let tries = 0; tries < PARKED_TRIES; tries += 1) {
    const { rowCount } = await platform.pool.query(
      "select 1 from parkings p join installations i on i.version_id = p.version_id where i.id = $1",
      [installationId],
    );
    if (rowCount === 1) return;
    await platform.pool.query(
      `update instances n set ended_at = n.ended_at - interval '301 seconds', created_at = n.created_at - interval '301 seconds'
         from installations i
        where i.version_id = n.version_id and i.id = $1 and n.state = 'FAILED' and n.ended_at > now() - interval '50 minutes'`,
      [installationId],
    );
    await sleep(1_000);
  }
  throw new Error("The app was not parked.");
}

async function takeAll(
  browser: Browser,
  colorScheme: "light" | "dark",
  width: number,
  installationIds: ReadonlyMap<Behavior, string>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const take = async (name: string, url: string) => {
    await open(page, `${running.webUrl}${url}`);
    await takePage(page, path.join(folder, `${name}-${width}-${colorScheme}.png`));
  };
  await signInAs(page, running.webUrl, HARBOR.email);
  for (const [behavior, id] of installationIds) await take(behavior, `/installations/${id}`);
  await signInAs(page, running.webUrl, PUBLISHER.email);
  for (const behavior of ["crash-loop", "memory-hog", "crashes-later"])
    await take(`${behavior}-publisher`, `/publish/${behavior}`);
  await context.close();
}

async function takePage(page: Page, file: string): Promise<void> {
  await page.waitForLoadState("networkidle").catch(() => undefined);
  await page.screenshot({ path: file, fullPage: true, animations: "disabled" });
}
