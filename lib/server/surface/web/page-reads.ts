import { cookies } from "next/headers";
import { cache } from "react";
import { Problem } from "@/lib/contract/platform/problem";
import { canBeStored } from "@/lib/contract/platform/text";
import { isMember } from "@/lib/domain/platform/actor";
import { decidePersonalZone, type PersonalZone, UTC, ZONE_COOKIE } from "@/lib/domain/platform/zone";
import { readInvitation } from "../../accounts/join-organization";
import { readCall } from "../../insight/call-log/read-call";
import { requireInstallation } from "../../installations/queries";
import { readInstallationOverview, viewInstallation } from "../../installations/read-installation";
import { toPageError } from "../../platform/database/availability";
import { readOwnApp } from "../read-own-listing";
import { currentClient } from "./cookies";
import { webPlatform } from "./platform";
import { currentActor } from "./session";

/** The account's, or the browser's own. Undefined until the browser has named it. */
export async function readPersonalZone(): Promise<PersonalZone | undefined> {
  const cookie = (await cookies()).get(ZONE_COOKIE)?.value;
  // The frame of all pages needs it, and must not fail where only a database is missing.
  const actor = await currentActor().catch(() => undefined);
  return decidePersonalZone(actor, cookie);
}

/** In which the reader's days begin and end. */
export async function currentZone(): Promise<string> {
  return (await readPersonalZone())?.zone ?? UTC;
}

const findInstallation = cache(async (id: string) => {
  const actor = await currentActor();
  if (actor === undefined || !isMember(actor) || actor.lacksSecondFactor === true)
    throw new Problem("NOT_FOUND");
  return { actor, found: await requireInstallation(webPlatform().db, actor.organization.id, id) };
});

/** An installation of the member who sent the request: read once for the header, the page and its title. */
export const currentInstallation = cache(async (id: string) => {
  try {
    const { actor, found } = await findInstallation(id);
    return await viewInstallation(webPlatform(), actor, found);
  } catch (error) {
    // Next logs the errors of layouts and titles.
    throw toPageError(error);
  }
});

/** What its overview shows beside it. */
export async function currentOverview(id: string) {
  return readInstallationOverview(webPlatform(), (await findInstallation(id)).found);
}

/** Names a page of an installation in its title, such as "Calls · VIN autofill". */
export async function nameInstallation(id: string | undefined, part?: string): Promise<string> {
  const { title } = await currentInstallation(id ?? "");
  return part === undefined ? title : `${part} · ${title}`;
}

/** An app of the organization of the member who sent the request: read once for the header, the page and its title. */
export const currentOwnApp = cache(async (appName: string) => {
  const actor = await currentActor();
  if (actor === undefined || !isMember(actor) || actor.lacksSecondFactor === true || !canBeStored(appName))
    throw new Problem("NOT_FOUND");
  return readOwnApp(webPlatform(), actor, appName).catch((error: unknown) => {
    // Next logs the errors of layouts and titles.
    throw toPageError(error);
  });
});

/** Names a page of an app in its title, such as "Metrics · VIN autofill". */
export async function nameOwnApp(appName: string | undefined, part?: string): Promise<string> {
  const { title } = (await currentOwnApp(appName ?? "")).listing;
  return part === undefined ? title : `${part} · ${title}`;
}

/** A call of the member who sent the request: read once for the page and its title. */
export const currentCall = cache(async (attemptId: string) => {
  const actor = await currentActor();
  if (actor === undefined || !isMember(actor) || actor.lacksSecondFactor === true)
    throw new Problem("NOT_FOUND");
  return readCall(webPlatform(), actor, attemptId).catch((error: unknown) => {
    // Next logs the errors of titles.
    throw toPageError(error);
  });
});

/** The invitation of a link: read, and counted as a try, once for the page and its title. */
export const currentInvitation = cache(async (token: string) => {
  return readInvitation(webPlatform(), token, await currentClient()).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "TOO_MANY_REQUESTS") return error.detail;
    throw error;
  });
});
