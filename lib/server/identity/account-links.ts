/** Single-use links of accounts. Only a hash of their token is stored. */
import { createHash, randomBytes } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import type { Db } from "../database/connect";
import { deleteLink, deleteLinksOfUser, insertLink, type LinkKind } from "./link-queries";

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

/** The URL of a new link. The token is in its fragment, which browsers send to nobody, so that no log contains it. */
export async function createLink(tx: Db, webUrl: string, link: NewLink): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Date.now() + LINK_HOURS * 3_600_000);
  await insertLink(tx, { content: {}, ...link, hash: hashToken(token), expiresAt });
  return `${new URL(PATHS[link.kind], webUrl).href}#${token}`;
}

/** Uses the link up. Throws NOT_FOUND for a link that is unknown, expired or used, which all look the same. */
export async function takeLink(tx: Db, kind: LinkKind, token: string) {
  const link = await deleteLink(tx, kind, hashToken(token));
  if (link === undefined)
    throw new Problem(
      "NOT_FOUND",
      `This link was used already, or it is more than ${LINK_HOURS} hour old. Ask for a new one.`,
    );
  return link;
}

/** A new password or address makes the other links of its user worthless. */
export async function endLinks(tx: Db, userId: string): Promise<void> {
  await deleteLinksOfUser(tx, userId);
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
