import { cache } from "react";
import { Problem } from "@/lib/contract/problem";
import { isMember } from "@/lib/domain/actor";
import { readCall } from "../call-details/read-call";
import { redactQueryError } from "../database/redact-query-error";
import { webPlatform } from "./platform";
import { currentActor } from "./session";

/** A call of the member who sent the request: read once for the page and its title. */
export const currentCall = cache(async (attemptId: string) => {
  const actor = await currentActor();
  if (actor === undefined || !isMember(actor) || actor.lacksSecondFactor === true)
    throw new Problem("NOT_FOUND");
  return readCall(webPlatform(), actor, attemptId).catch((error: unknown) => {
    // Next logs the errors of titles.
    throw redactQueryError(error);
  });
});
