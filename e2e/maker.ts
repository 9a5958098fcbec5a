/** A publisher of several apps, which it tries on its own tenant. */
import type { Browser, Page } from "@playwright/test";
import { expect, open } from "./fixtures";
import {
  findVersion,
  givenApiKey,
  givenInstallation,
  givenListing,
  givenOrganization,
  givenTenant,
} from "./given";
import { queryDatabase, type RunningPlatform } from "./start-platform";
import { copyApp, expectRunning, installationIdFromUrl, type ApiKey, type TestCore } from "./workflows";

/** What to do in the steps of the launch wizard. */
interface LaunchSteps {
  answer?: () => Promise<void>;
  review?: () => Promise<void>;
}

/** How an app is published under its name. */
interface Source {
  /** The folder of `e2e/apps`; the app's name unless given. */
  folder?: string;
  prepare?: (folder: string) => Promise<void>;
}

export class Maker {
  private constructor(
    readonly page: Page,
    readonly key: ApiKey,
    /** The header with which its core signs in. */
    readonly authorization: string,
    private readonly tenantId: string,
    private readonly slug: string,
    private readonly platform: RunningPlatform,
  ) {}

  static async signUp(browser: Browser, platform: RunningPlatform, core: TestCore, slug: string) {
    const page = await givenOrganization(browser, platform, slug);
    const key = await givenApiKey(page, platform);
    const { tenantId, credential } = await givenTenant(page, platform, core, slug);
    return new Maker(page, key, `Bearer ${credential}`, tenantId, slug, platform);
  }

  list(app: string): Promise<void> {
    return givenListing(this.page, this.platform, { publisher: this.slug, name: app, title: app });
  }

  async publish(app: string, { folder = app, prepare }: Source = {}): Promise<void> {
    await this.list(app);
    await using copy = await copyApp(folder, `${this.slug}/${app}`);
    await prepare?.(copy.folder);
    expect(await copy.publish(this.platform, this.key)).toContain("1.1.0");
  }

  /** A Test Launch, which the page shows. @returns the installation's id */
  async launch(app: string, settings: Record<string, string>): Promise<string> {
    const { versionId } = await findVersion(this.platform, app);
    const launch = { versionId, tenantId: this.tenantId, test: true, settings };
    return givenInstallation(this.page, this.platform, launch);
  }

  /** Goes through the wizard of a Test Launch until the app is running. @returns the installation's id */
  async launchByHand(app: string, { answer, review }: LaunchSteps = {}): Promise<string> {
    const { page } = this;
    await open(page, `${this.platform.webUrl}/launch/${this.slug}/${app}?test=1`);
    await page.getByRole("radio", { name: /Production/ }).check({ force: true });
    await page.getByRole("button", { name: "Continue" }).click();
    if (answer !== undefined) {
      await answer();
      await page.getByRole("button", { name: "Continue" }).click();
    }
    await review?.();
    await page.getByRole("button", { name: "Start Test Launch" }).click();
    await expectRunning(page);
    return installationIdFromUrl(page);
  }

  /** Sends to the gateway as its core does. */
  post(path: string, body: unknown): Promise<Response> {
    return fetch(this.platform.gatewayUrl + path, {
      method: "POST",
      headers: { authorization: this.authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** Calls the autofill of an installation. */
  async callerOf(installationId: string): Promise<(payload: object) => Promise<Response>> {
    const [route] = await queryDatabase(
      this.platform,
      "select id from routes where installation_id = $1 and kind = 'autofill'",
      [installationId],
    );
    return (payload) => this.post(`/r/${route?.id}`, payload);
  }
}
