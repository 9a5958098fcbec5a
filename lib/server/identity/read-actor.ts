import type { Actor } from "@/lib/domain/actor";
import type { Platform } from "../platform";
import { selectActor } from "./queries";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Who acts in this session; undefined when it is unknown, expired or revoked. */
export async function readActor(platform: Platform, sessionId: string): Promise<Actor | undefined> {
  if (!UUID.test(sessionId)) return undefined;
  const row = await selectActor(platform.db, sessionId);
  if (row === undefined) return undefined;
  const { userId, name, email, moderator, organizationId, slug, organizationName, role } = row;
  const person = { userId, sessionId, name, email, moderator };
  if (organizationId === null || slug === null || organizationName === null || role === null) return person;
  return { ...person, organization: { id: organizationId, slug, name: organizationName, role } };
}
