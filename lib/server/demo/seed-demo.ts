import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/problem";
import { isMember, type Actor, type Member } from "@/lib/domain/actor";
import { LOCAL_CLIENT } from "../identity/client";
import { countOrganizations } from "../identity/queries";
import { readActor, signOut } from "../identity/sessions";
import { signIn } from "../identity/sign-in";
import { createModerator, signUp } from "../identity/sign-up";
import type { Platform } from "../platform/platform";
import { DEMO_CUSTOMERS, DEMO_PASSWORD, MODERATOR, PUBLISHER, type DemoOrganization } from "./accounts";
import { DEMO_APPS } from "./apps";
import { offerApp, type AppSource } from "./offer-app";
import { countLaunching } from "./queries";
import { setUpCustomer, type DemoCore } from "./set-up-customer";

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

/** Signs in the organization's owner, after signing up if needed. */
async function signInMember(platform: Platform, account: DemoOrganization): Promise<Member> {
  const { email, userName, slug, name } = account;
  await signUp(platform, {
    name: userName,
    email,
    password: DEMO_PASSWORD,
    organizationName: name,
    organizationSlug: slug,
  }).catch(ignoring("NAME_TAKEN"));
  const actor = await signInDemo(platform, email);
  if (!isMember(actor)) throw new Error(`${email} is not a member of an organization`);
  return actor;
}

async function signInModerator(platform: Platform): Promise<Actor> {
  const { email, userName: name } = MODERATOR;
  const present = await signInDemo(platform, email).catch(ignoring("WRONG_CREDENTIALS"));
  if (present !== undefined) return present;
  await createModerator(platform, { name, email, password: DEMO_PASSWORD });
  return signInDemo(platform, email);
}

async function signInDemo(platform: Platform, email: string): Promise<Actor> {
  const { sessionId } = await signIn(platform, { email, password: DEMO_PASSWORD }, LOCAL_CLIENT);
  const actor = await readActor(platform, sessionId);
  if (actor === undefined) throw new Error(`${email} could not be signed in`);
  return actor;
}

function ignoring(code: Problem["code"]) {
  return (error: unknown): undefined => {
    if (!(error instanceof Problem && error.code === code)) throw error;
  };
}
