import { isId } from "@/lib/contract/names";
import type { Actor } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { selectActor } from "./queries";

/** Who acts in this session; undefined when it is unknown, expired or revoked. */
export async function readActor(platform: Platform, sessionId: string): Promise<Actor | undefined> {
  if (!isId(sessionId)) return undefined;
  const row = await selectActor(platform.db, sessionId);
  if (row === undefined) return undefined;
  const { userId, name, email, moderator, organizationId, slug, organizationName, role } = row;
  const person = { userId, sessionId, name, email, moderator };
  if (organizationId === null || slug === null || organizationName === null || role === null) return person;
  return { ...person, organization: { id: organizationId, slug, name: organizationName, role } };
}
