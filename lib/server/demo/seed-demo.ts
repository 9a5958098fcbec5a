import { setTimeout as sleep } from "node:timers/promises";
import { countOrganizations } from "../identity/queries";
import { signOut } from "../identity/sessions";
import type { Platform } from "../platform/platform";
import { DEMO_CUSTOMERS, PUBLISHER } from "./accounts";
import { DEMO_APPS } from "./apps";
import { offerApp, type AppSource } from "./offer-app";
import { countLaunching } from "./queries";
import { setUpCustomer, type DemoCore } from "./set-up-customer";
import { signInMember, signInModerator } from "./sign-in-demo";

export interface DemoEnvironment extends AppSource, DemoCore {
  /** Milliseconds to wait for the workers to launch everything. */
  launchMs: number;
}

/** True if nobody has signed up on this database yet. */
export async function isUnused(platform: Platform): Promise<boolean> {
  return (await countOrganizations(platform.db)) === 0;
}

/**
 * Sets up the demo through the functions that serve users' requests. Each step first checks whether it is done, so that
 * the next start continues where an earlier one was interrupted.
 */
export async function seedDemo(platform: Platform, environment: DemoEnvironment): Promise<void> {
  const publisher = await signInMember(platform, PUBLISHER);
  const moderator = await signInModerator(platform);
  for (const app of DEMO_APPS) {
    environment.report(`Setting up the demo: ${app.title}…`);
    await offerApp(platform, publisher, moderator, app, environment);
  }
  const customers = [];
  for (const customer of DEMO_CUSTOMERS) {
    environment.report(`Setting up the demo: ${customer.account.name}…`);
    const member = await signInMember(platform, customer.account);
    await setUpCustomer(platform, publisher, member, customer, environment);
    customers.push(member);
  }
  await waitForLaunches(platform, environment.launchMs);
  for (const { sessionId } of [publisher, moderator, ...customers]) await signOut(platform, sessionId);
}

/** So that visitors find everything running. An installation that is not running by then says so on its page. */
async function waitForLaunches(platform: Platform, timeoutMs: number): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(100)) {
    if ((await countLaunching(platform.db)) === 0) return;
  }
}
