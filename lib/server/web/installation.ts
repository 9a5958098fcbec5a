import { cache } from "react";
import { Problem } from "@/lib/contract/problem";
import { isMember } from "@/lib/domain/actor";
import { redactQueryError } from "../database/redact-query-error";
import { readInstallation } from "../installations/read-installation";
import { webPlatform } from "./platform";
import { currentActor } from "./session";

/** An installation of the member who sent the request: read once for the header, the page and its title. */
export const currentInstallation = cache(async (id: string) => {
  const actor = await currentActor();
  if (actor === undefined || !isMember(actor) || actor.lacksSecondFactor === true)
    throw new Problem("NOT_FOUND");
  return readInstallation(webPlatform(), actor, id).catch((error: unknown) => {
    // Next logs the errors of layouts and titles.
    throw redactQueryError(error);
  });
});

/** Names a page of an installation in its title, such as "Calls · VIN autofill". */
export async function nameInstallation(id: string | undefined, part?: string): Promise<string> {
  const { title } = await currentInstallation(id ?? "");
  return part === undefined ? title : `${part} · ${title}`;
}
