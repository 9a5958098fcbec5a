import { Problem } from "@/lib/contract/problem";
import { isMember, type Actor, type Member } from "@/lib/domain/actor";
import { createModerator } from "../identity/create-moderator";
import { readActor } from "../identity/read-actor";
import { signIn } from "../identity/sign-in";
import { signUp } from "../identity/sign-up";
import type { Platform } from "../platform/platform";
import { DEMO_PASSWORD, type DemoAccount, MODERATOR, type DemoPerson } from "./accounts";

/** Signs the organization up, unless it is, and its owner in. */
export async function memberOf(platform: Platform, account: DemoAccount): Promise<Member> {
  const { email, person, slug, name } = account;
  await signUp(platform, {
    name: person,
    email,
    password: DEMO_PASSWORD,
    organizationName: name,
    organizationSlug: slug,
  }).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === "NAME_TAKEN")) throw error;
  });
  const actor = await actorOf(platform, account);
  if (!isMember(actor)) throw new Error(`${email} is in no organization`);
  return actor;
}

export async function moderatorOf(platform: Platform): Promise<Actor> {
  return actorOf(platform, MODERATOR).catch(async (error: unknown) => {
    if (!(error instanceof Problem && error.code === "WRONG_CREDENTIALS")) throw error;
    await createModerator(platform, {
      name: MODERATOR.person,
      email: MODERATOR.email,
      password: DEMO_PASSWORD,
    });
    return actorOf(platform, MODERATOR);
  });
}

async function actorOf(platform: Platform, { email }: DemoPerson): Promise<Actor> {
  const { sessionId } = await signIn(platform, { email, password: DEMO_PASSWORD });
  const actor = await readActor(platform, sessionId);
  if (actor === undefined) throw new Error(`${email} could not be signed in`);
  return actor;
}
