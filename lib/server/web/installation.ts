import type { Metadata } from "next";
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
  if (actor === undefined || !isMember(actor)) throw new Problem("NOT_FOUND");
  return readInstallation(webPlatform(), actor, id).catch((error: unknown) => {
    // Next logs the errors of layouts and titles.
    throw redactQueryError(error);
  });
});

interface PageProps {
  params: Promise<{ installationId: string }>;
}

/** The title of an installation's page, which names the app. Whoever may not see it gets the site's title. */
export function titleInstallation(part?: string) {
  return async function generateMetadata({ params }: PageProps): Promise<Metadata> {
    const { installationId } = await params;
    const title = await currentInstallation(installationId).then((found) => found.title, noneIfAbsent);
    if (title === undefined) return {};
    return { title: `${part === undefined ? "" : `${part} · `}${title} · Installations` };
  };
}

function noneIfAbsent(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === "NOT_FOUND")) throw error;
}
