import { setTimeout as sleep } from "node:timers/promises";
import { countOrganizations } from "../identity/queries";
import { signOut } from "../identity/sign-in";
import type { Platform } from "../platform/platform";
import { PUBLISHER } from "./accounts";
import { DEMO_APPS } from "./apps";
import { DEMO_CUSTOMERS } from "./customers";
import { offerApp } from "./offer-app";
import { memberOf, moderatorOf } from "./people";
import { countLaunching } from "./queries";
import { setUpCustomer } from "./set-up-customer";
import type { DemoSurroundings } from "./surroundings";

/** A database that nobody has used yet. */
export async function isUnused(platform: Platform): Promise<boolean> {
  return (await countOrganizations(platform.db)) === 0;
}

/**
 * Sets the demo up through the verbs that people's requests go through. Each step looks first whether it is done, so that
 * the next start goes on where one was cut off.
 */
export async function seedDemo(platform: Platform, around: DemoSurroundings): Promise<void> {
  const publisher = await memberOf(platform, PUBLISHER);
  const moderator = await moderatorOf(platform);
  for (const app of DEMO_APPS) {
    around.report(`Setting up the demo: ${app.title} …`);
    await offerApp(platform, publisher, moderator, app, around);
  }
  const customers = [];
  for (const customer of DEMO_CUSTOMERS) {
    around.report(`Setting up the demo: ${customer.account.name} …`);
    const member = await memberOf(platform, customer.account);
    await setUpCustomer(platform, publisher, member, customer, around);
    customers.push(member);
  }
  await untilLaunched(platform, around.launchMs);
  for (const { sessionId } of [publisher, moderator, ...customers]) await signOut(platform, sessionId);
}

/** So that a visitor's first click finds everything running. What does not get there says so on its page. */
async function untilLaunched(platform: Platform, patienceMs: number): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(100)) {
    if ((await countLaunching(platform.db)) === 0) return;
  }
}
