import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { ORGANIZATION_HEADER } from "@/lib/contract/platform/headers";
import { Problem } from "@/lib/contract/platform/problem";
import { canBeStored } from "@/lib/contract/platform/text";
import {
  admit,
  type Audience,
  listAllowedPages,
  PAGE_POLICY,
  type PagePath,
} from "@/lib/domain/accounts/policy";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import { showDirectionMarks } from "@/lib/domain/platform/text";
import { findElsewhere } from "../../accounts/organization";
import { recallAvailability, toPageError, whileAvailable } from "../../platform/database/availability";
import type { Platform } from "../../platform/platform";
import { selectHold } from "../../platform/hold-queries";
import { webEnvironment, webPlatform } from "./platform";
import { canBeName } from "./route";
import { currentActor } from "./session";

type AudienceOf<Path extends PagePath> = (typeof PAGE_POLICY)[Path];

export type PageInput<Path extends PagePath> = {
  platform: Platform;
  params: Record<string, string>;
  /** The first value of each query parameter, without those that PostgreSQL can't compare with anything. */
  searchParams: Record<string, string>;
  actor: AudienceOf<Path> extends "public" ? Actor | undefined : Actor;
  member: AudienceOf<Path> extends readonly unknown[] ? Member : Member | undefined;
};

interface PageProps {
  params: Promise<Record<string, string | string[] | undefined>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

interface PageOptions {
  /** Where a person without an organization gets what they need first. */
  withoutOrganization?: (input: Pick<PageInput<PagePath>, "params" | "searchParams">) => string | undefined;
}

/**
 * A page that follows the policy table: visitors who are not signed in are sent to sign in, and users without access get a
 * 404, as does a read that throws NOT_FOUND.
 */
export function page<Path extends PagePath>(
  path: Path,
  render: (input: PageInput<Path>) => Promise<ReactNode> | ReactNode,
  { withoutOrganization }: PageOptions = {},
) {
  return async function Page(props: PageProps): Promise<ReactNode> {
    const { admission, input, actor } = await admitVisitor(path, props);
    const { params, searchParams } = input;
    const missing = async () => {
      const home = actor && (await findElsewhere(input.platform, actor, path, params));
      if (home !== undefined) redirect(switchPath(home, fillPath(path, params, searchParams)));
      notFound();
    };
    if (admission === "not-signed-in")
      redirect(`/sign-in?callbackUrl=${encodeURIComponent(fillPath(path, params, searchParams))}`);
    if (admission === "second-factor-needed") redirect("/account");
    if (hasImpossibleName(params)) notFound();
    if (admission === "not-allowed") {
      const instead = actor?.organization === undefined ? withoutOrganization?.(input) : undefined;
      if (instead !== undefined) redirect(instead);
      return missing();
    }
    try {
      return (
        <>
          {/* What the page sends back with every change: see `checkOrganization`. */}
          <meta name={ORGANIZATION_HEADER} content={actor?.organization?.id ?? ""} />
          {await whileAvailable(input.platform, Promise.resolve(render(input)))}
        </>
      );
    } catch (error) {
      if (error instanceof Problem && error.code === "NOT_FOUND") return missing();
      // Next logs the error.
      throw toPageError(error);
    }
  };
}

/**
 * The `generateMetadata` of a page that shows one object: the tab's title names it, as in "VIN autofill · Listings". Share the
 * read with the page through React's `cache`. An object that the visitor may not see has no name. A public page describes
 * itself in full instead.
 */
export function titled<Path extends PagePath>(
  path: Path,
  section: string,
  name: (input: PageInput<Path>) => Promise<string | Metadata> | string,
) {
  return async function generateMetadata(props: PageProps): Promise<Metadata> {
    const { admission, input } = await admitVisitor(path, props);
    if (admission !== "admitted" || hasImpossibleName(input.params)) return { title: NOT_FOUND_TITLE };
    try {
      const named = await whileAvailable(input.platform, Promise.resolve(name(input)));
      return typeof named === "string" ? { title: showDirectionMarks(`${named} · ${section}`) } : named;
    } catch (error) {
      if (error instanceof Problem && error.code === "NOT_FOUND") return { title: NOT_FOUND_TITLE };
      throw toPageError(error);
    }
  };
}

export const NOT_FOUND_TITLE = "Page not found";

async function admitVisitor<Path extends PagePath>(path: Path, props: PageProps) {
  const audience: Audience = PAGE_POLICY[path];
  const params = firstValues(await props.params, decodeSegment);
  const typed = firstValues(await props.searchParams, (value) => value);
  const searchParams = Object.fromEntries(Object.entries(typed).filter(([, value]) => canBeStored(value)));
  const actor = await currentActor();
  const member = actor !== undefined && isMember(actor) ? actor : undefined;
  // As in route.ts: callers use it only if the policy admits this actor, as the conditional types require.
  const input = { platform: webPlatform(), params, searchParams, actor, member } as PageInput<Path>;
  return { admission: admit(audience, actor), input, actor };
}

/** The page that offers to switch to the organization, and then leads to `path`. */
function switchPath(organizationId: string, path: string): string {
  return `/organization/switch?${new URLSearchParams({ to: organizationId, next: path })}`;
}

function hasImpossibleName(params: Record<string, string>): boolean {
  return Object.entries(params).some(([name, value]) => !canBeName(name, value));
}

function firstValues(
  values: Record<string, string | string[] | undefined>,
  decode: (value: string) => string,
): Record<string, string> {
  const pairs = Object.entries(values).flatMap(([key, value]) => {
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? [] : [[key, decode(first)] as const];
  });
  return Object.fromEntries(pairs);
}

/** A malformed segment stays as it is; nothing has such a name. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function fillPath(
  path: string,
  params: Record<string, string>,
  searchParams: Record<string, string>,
): string {
  const filled = path.replace(/\[(\w+)\]/g, (_match, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = new URLSearchParams(searchParams).toString();
  return query === "" ? filled : `${filled}?${query}`;
}

interface PageDescription {
  path: string;
  title: NonNullable<Metadata["title"]>;
  description: string;
  /** 1200 × 630. */
  image?: { path: string; alt: string };
  /** Keeps it out of search engines. */
  hidden?: boolean;
}

const SITE = "App Hosting Platform";

/** What search engines and link previews show of a public page. */
export function describePage({ path, title, description, image, hidden = false }: PageDescription): Metadata {
  const absolute = (local: string) => new URL(local, webEnvironment().PLATFORM_WEB_URL).href;
  const images =
    image === undefined ? [] : [{ url: absolute(image.path), alt: image.alt, width: 1200, height: 630 }];
  const plain = typeof title === "string" ? title : "absolute" in title ? title.absolute : SITE;
  return {
    title,
    description,
    alternates: { canonical: absolute(path) },
    openGraph: { type: "website", siteName: SITE, url: absolute(path), title: plain, description, images },
    twitter: { card: images.length > 0 ? "summary_large_image" : "summary" },
    ...(hidden ? { robots: { index: false } } : {}),
  };
}

/** What the frame around a signed-in user's pages shows. The IDs of the user and the session stay on the server. */
export async function describeShell(actor: Actor) {
  const { name, email, organization, moderator } = actor;
  // Who isn't told can't do anything about it. While the database is away, another notice says so.
  const hold = moderator ? await selectHold(webPlatform().db).catch(() => undefined) : undefined;
  return {
    actor: { name, email, organization, moderator },
    allowed: listAllowedPages(actor),
    nonce: (await headers()).get("x-nonce") ?? undefined,
    // Without a statement for each page: what an open page asked for lately.
    availability: recallAvailability(webPlatform()),
    heldSince: hold?.restoredAt,
  };
}
