/** A platform of its own for one scenario: folder, database, customers with apps, and the parts as processes. */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { apiKeys } from "@/drizzle/schema/accounts";
import { versions } from "@/drizzle/schema/catalog";
import { instances } from "@/drizzle/schema/runtime";
import { hashApiKey } from "@/lib/server/accounts/credentials/authenticate-api-key";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import type { Platform } from "@/lib/server/platform/platform";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { startTemporaryDatabase, type TemporaryDatabase } from "../temporary-database";
import { givenCredential, givenInstallation, givenListing, givenMember, givenTenant } from "../test-platform";
import { APP, type Apps, type Folders, getJournal, getScript, runAsProcesses, runInContainers } from "./apps";
import { Part, type PartName } from "./part";

export interface Customer {
  organizationId: string;
  tenantId: string;
  versionId: string;
  installationId: string;
  autofillRouteId: string;
  /** `<org-name>/<app-name>`. */
  appName: string;
  /** `Authorization` of the tenant's core, and of the app's publisher, which is the same organization. */
  core: string;
  publisher: string;
}

export class World implements AsyncDisposable {
  private readonly parts: Part[] = [];
  private readonly startedApps: ChildProcess[] = [];

  private constructor(
    private readonly folders: Folders,
    readonly apps: Apps,
    readonly database: TemporaryDatabase,
    /** To set up and to look at what was stored. It survives restarts of the database. */
    readonly platform: Platform,
    private readonly variables: Record<string, string>,
  ) {}

  /** @param extra variables for the parts */
  static async create(extra: Record<string, string> = {}): Promise<World> {
    const folders = await createFolders();
    return World.assemble(folders, await runAsProcesses(folders), extra);
  }

  /** Undefined without a container engine. */
  static async createWithContainers(): Promise<World | undefined> {
    const folders = await createFolders();
    const apps = await runInContainers(folders);
    if (apps === undefined) await rm(folders.root, { recursive: true });
    return apps && World.assemble(folders, apps, {});
  }

  private static async assemble(folders: Folders, apps: Apps, extra: Record<string, string>): Promise<World> {
    const database = await startTemporaryDatabase("chaos");
    const variables = {
      NODE_ENV: "development",
      DATABASE_URL: `${database.server}/chaos`,
      PLATFORM_MASTER_KEYS: newMasterKey("chaos"),
      PLATFORM_DATA_DIR: folders.dataDir,
      PLATFORM_LOG_LEVEL: "warn",
      ...apps.variables,
      ...extra,
    };
    const platform = createPlatform(readEnvironment({ ...variables, PLATFORM_LOG_LEVEL: "silent" }), "chaos");
    return new World(folders, apps, database, platform, variables);
  }

  /** Its folder. */
  get root(): string {
    return this.folders.root;
  }

  /** Where the app notes what it receives: see journal-app.mjs. */
  get journalFile(): string {
    return getJournal(this.folders);
  }

  /**
   * An organization with a tenant, an app and a running installation of it. Without an origin, a worker starts the app as a
   * process; otherwise the app is already running there, and no worker ends it.
   * @param verified whether moderators verified its app
   */
  async addCustomer(slug: string, origin?: string, verified = true): Promise<Customer> {
    const { platform } = this;
    const owner = await givenMember(platform, slug);
    const { version } = await givenListing(platform, owner, {
      appName: APP,
      state: verified ? "PUBLIC" : "DRAFT",
      verified,
    });
    await platform.db.update(versions).set(this.apps.bundle).where(eq(versions.id, version.id));
    const { tenant } = await givenTenant(platform, owner);
    const credential = `pcc_${randomBytes(32).toString("base64url")}`;
    await givenCredential(platform, tenant.id, credential);
    const { installation, route } = await givenInstallation(platform, owner, version, tenant.id);
    if (origin !== undefined)
      await platform.db.insert(instances).values({
        versionId: version.id,
        runtime: "of the test",
        handle: "none",
        origin,
        state: "READY",
        readyAt: new Date(),
      });
    const apiKey = `pak_${randomBytes(32).toString("base64url")}`;
    const clientId = `pci_${v7()}`;
    await platform.db.insert(apiKeys).values({
      organizationId: owner.organization.id,
      name: "Chaos",
      clientId,
      keyHash: hashApiKey(apiKey),
      createdBy: owner.userId,
    });
    return {
      organizationId: owner.organization.id,
      tenantId: tenant.id,
      versionId: version.id,
      installationId: installation.id,
      autofillRouteId: route("autofill").id,
      appName: `${slug}/${APP}`,
      core: `Bearer ${credential}`,
      publisher: `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`,
    };
  }

  /** An app that no worker starts or ends. @returns its origin */
  async startApp(): Promise<string> {
    const port = await freePort();
    const script = getScript(this.folders);
    const app = fork(script, {
      cwd: path.dirname(script),
      execArgv: [],
      env: { NODE_ENV: "production", PLATFORM_PORT: String(port), HOST: "127.0.0.1" },
    });
    this.startedApps.push(app);
    await once(app, "message");
    return `http://127.0.0.1:${port}`;
  }

  /** Resolves when it is ready. @param gatewayUrl of a gateway that is not the only one */
  async start(name: PartName, gatewayUrl: string): Promise<Part> {
    const number = this.parts.length;
    const part = await Part.start({
      name,
      variables: {
        ...this.variables,
        PLATFORM_GATEWAY_URL: gatewayUrl,
        PLATFORM_GATEWAY_PORT: new URL(gatewayUrl).port,
      },
      folder: this.folders.root,
      logFile: path.join(this.folders.root, `${name}-${number}.log`),
    });
    this.parts.push(part);
    return part;
  }

  /** The same part as a new process, on the same port. */
  async restart(part: Part): Promise<Part> {
    const next = await part.restart();
    this.parts.splice(this.parts.indexOf(part), 1, next);
    return next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.parts.filter((part) => !part.hasExited).map((part) => part.kill()));
    for (const app of this.startedApps) app.kill("SIGKILL");
    await this.platform.pool.end();
    await this.database.stop();
    await this.apps.end();
    await rm(this.folders.root, { recursive: true, force: true });
  }
}

async function createFolders(): Promise<Folders> {
  const root = await mkdtemp(path.join(tmpdir(), "platform-chaos-"));
  return { root, dataDir: path.join(root, "data") };
}

/** The URL of a gateway that is yet to be started. */
export async function chooseGatewayUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
