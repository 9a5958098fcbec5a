/** Several organizations with their objects, and every kind of caller. */
import { hash } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { memberships, organizations, sessions, users } from "@/drizzle/schema/accounts";
import { reviews } from "@/drizzle/schema/catalog";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import type { Platform } from "@/lib/server/platform/platform";
import { givenMember } from "../test-platform";
import { CHEAP, givenSide, PASSWORD } from "./side";

export type SideName = "acme" | "bolt" | "strict";

/** Somebody who asks. `home`: the organization whose objects are their own. */
export interface Person {
  name: string;
  actor: Actor | undefined;
  home: SideName | undefined;
  /** Another session of the same person. */
  otherSessionId: string;
  /** Credentials other than a session. */
  headers?: Record<string, string>;
}

export async function givenWorld(platform: Platform, coreApiUrl: string) {
  const acme = await givenSide(platform, "acme", coreApiUrl);
  const bolt = await givenSide(platform, "bolt", coreApiUrl);
  const strict = await givenSide(platform, "strict", coreApiUrl);
  await platform.db
    .update(organizations)
    .set({ requireSecondFactor: true })
    .where(eq(organizations.id, strict.ids.organizationId));
  const guest = await givenMember(platform, "gone");
  await platform.db.delete(memberships).where(eq(memberships.userId, guest.userId));
  const moderator = await givenMember(platform, "left");
  await platform.db.delete(memberships).where(eq(memberships.userId, moderator.userId));
  const judge = await givenMember(platform, "acme");
  for (const { userId } of [moderator, judge])
    await platform.db.update(users).set({ moderator: true }).where(eq(users.id, userId));
  await platform.db
    .update(reviews)
    .set({ claimedBy: moderator.userId, claimedAt: new Date() })
    .where(eq(reviews.kind, "TEXT"));
  const passwordHash = await hash(PASSWORD, CHEAP);
  await platform.db.update(users).set({ passwordHash, emailConfirmedAt: new Date() });

  const alone = ({ organization: _left, ...actor }: Member): Actor => actor;
  const people: Omit<Person, "otherSessionId">[] = [
    { name: "visitor", actor: undefined, home: undefined },
    ...["API key", "core credential", "state key"].map((name, index) => ({
      name: `visitor with an ${name}`,
      actor: undefined,
      home: undefined,
      headers: {
        authorization: [basic(acme.apiKey), `Bearer ${acme.coreCredential}`, "Bearer psk_x"][index] ?? "",
      },
    })),
    { name: "owner", actor: acme.members.owner, home: "acme" },
    { name: "publisher", actor: acme.members.publisher, home: "acme" },
    { name: "operator", actor: acme.members.operator, home: "acme" },
    { name: "owner of another organization", actor: bolt.members.owner, home: "bolt" },
    {
      name: "owner without the second factor",
      actor: { ...strict.members.owner, lacksSecondFactor: true },
      home: "strict",
    },
    { name: "person without an organization", actor: alone(guest), home: undefined },
    { name: "moderator", actor: { ...alone(moderator), moderator: true }, home: undefined },
    { name: "moderator who owns the app", actor: { ...judge, moderator: true }, home: "acme" },
  ];
  const withSessions = people.map((person) => ({ ...person, otherSessionId: v7() }));
  const expiresAt = new Date(Date.now() + 3_600_000);
  for (const { actor, otherSessionId: id } of withSessions)
    if (actor !== undefined)
      await platform.db.insert(sessions).values({
        ...{ id, userId: actor.userId, expiresAt },
        organizationId: isMember(actor) ? actor.organization.id : null,
      });
  return { acme, bolt, strict, people: withSessions };
}

export type World = Awaited<ReturnType<typeof givenWorld>>;

/** What an API key is sent as. */
export function basic({ clientId, apiKey }: { clientId: string; apiKey: string }): string {
  return `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
}
