import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import { isMember, type Actor, type Member } from "@/lib/domain/actor";
import { admit, PAGE_POLICY, type Audience, type PagePath } from "@/lib/domain/policy";
import { redactQueryError } from "../database/redact-query-error";
import type { Platform } from "../platform/platform";
import { currentActor } from "./session";
import { webPlatform } from "./platform";

type AudienceOf<Path extends PagePath> = (typeof PAGE_POLICY)[Path];

export type PageInput<Path extends PagePath> = {
  platform: Platform;
  params: Record<string, string>;
  /** The first value of each query parameter. */
  searchParams: Record<string, string>;
  actor: AudienceOf<Path> extends "public" ? Actor | undefined : Actor;
  member: AudienceOf<Path> extends readonly unknown[] ? Member : Member | undefined;
};

interface PageProps {
  params: Promise<Record<string, string | string[] | undefined>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/**
 * A page that follows the policy table: visitors who are not signed in are sent to sign in, and users without access get a
 * 404, as does a read that throws NOT_FOUND.
 */
export function page<Path extends PagePath>(
  path: Path,
  render: (input: PageInput<Path>) => Promise<ReactNode> | ReactNode,
) {
  const audience: Audience = PAGE_POLICY[path];
  return async function Page(props: PageProps): Promise<ReactNode> {
    const params = firstValues(await props.params, decodeSegment);
    const searchParams = firstValues(await props.searchParams, (value) => value);
    const actor = await currentActor();
    const admission = admit(audience, actor);
    if (admission === "not-signed-in")
      redirect(`/sign-in?callbackUrl=${encodeURIComponent(fillPath(path, params, searchParams))}`);
    if (admission === "not-allowed") notFound();
    if (Object.entries(params).some(([name, value]) => name.endsWith("Id") && !isId(value))) notFound();
    const member = actor !== undefined && isMember(actor) ? actor : undefined;
    // As in route.ts: the policy admitted this actor, as the conditional types require.
    const input = { platform: webPlatform(), params, searchParams, actor, member } as PageInput<Path>;
    try {
      return await render(input);
    } catch (error) {
      if (error instanceof Problem && error.code === "NOT_FOUND") notFound();
      // Next logs the error.
      throw redactQueryError(error);
    }
  };
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
