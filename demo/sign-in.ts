import { Problem } from "@/lib/contract/platform/problem";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import { LOCAL_CLIENT, readActor } from "@/lib/server/accounts/sessions";
import { signIn } from "@/lib/server/accounts/sign-in";
import { createModerator, signUp } from "@/lib/server/accounts/sign-up";
import type { Platform } from "@/lib/server/platform/platform";
import { DEMO_PASSWORD, type DemoOrganization, MODERATOR } from "./accounts";

/** Signs in the organization's owner, after signing up if needed. */
export async function signInMember(platform: Platform, account: DemoOrganization): Promise<Member> {
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

export async function signInModerator(platform: Platform): Promise<Actor> {
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
