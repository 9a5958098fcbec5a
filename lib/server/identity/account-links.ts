/** Single-use links of accounts. Only a hash of their token is stored. */
import { createHash, randomBytes } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import type { Db } from "../database/connect";
import { deleteLink, deleteLinksOfUser, insertLink, type LinkKind, selectLink } from "./link-queries";

export const LINK_HOURS = 1;

const PATHS = {
  SIGN_UP: "/sign-up/confirm",
  EMAIL_CHANGE: "/confirm-email",
  NEW_PASSWORD: "/new-password",
} as const satisfies Record<LinkKind, string>;

interface NewLink {
  kind: LinkKind;
  userId?: string;
  content?: Record<string, string>;
}

/** When a link that is made now stops working. */
export function linkEnd(): Date {
  return new Date(Date.now() + LINK_HOURS * 3_600_000);
}

/** The URL of a new link. The token is in its fragment, which browsers send to nobody, so that no log contains it. */
export async function createLink(tx: Db, webUrl: string, link: NewLink): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await insertLink(tx, { content: {}, ...link, hash: hashToken(token), expiresAt: linkEnd() });
  return `${new URL(PATHS[link.kind], webUrl).href}#${token}`;
}

/** What a link is for, without using it up. Throws as `takeLink`. */
export async function readLink(db: Db, kind: LinkKind, token: string) {
  return (await selectLink(db, kind, hashToken(token))) ?? refuseLink();
}

/** Uses the link up. Throws NOT_FOUND for a link that is unknown, expired or used, which all look the same. */
export async function takeLink(tx: Db, kind: LinkKind, token: string) {
  return (await deleteLink(tx, kind, hashToken(token))) ?? refuseLink();
}

function refuseLink(): never {
  throw new Problem(
    "NOT_FOUND",
    `This link was already used, or it is more than ${LINK_HOURS} hour old. Ask for a new one.`,
  );
}

/** A new password or address makes the other links of its user worthless. */
export async function endLinks(tx: Db, userId: string): Promise<void> {
  await deleteLinksOfUser(tx, userId);
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
