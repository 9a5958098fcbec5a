import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import { isMember, type Actor, type Member } from "@/lib/domain/actor";
import { admit, PAGE_POLICY, type Audience, type PagePath } from "@/lib/domain/policy";
import { withoutParameters } from "../database/without-parameters";
import type { Platform } from "../platform/platform";
import { currentActor } from "./auth-options";
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
 * A page by the policy table's row: who is not signed in is sent to sign in, who may not see it is told that there is none.
 * NOT_FOUND thrown by a read is the same 404.
 */
export function page<Path extends PagePath>(
  path: Path,
  draw: (input: PageInput<Path>) => Promise<ReactNode> | ReactNode,
) {
  const audience: Audience = PAGE_POLICY[path];
  return async function Page(props: PageProps): Promise<ReactNode> {
    const params = firstOfEach(await props.params, decodeSegment);
    const searchParams = firstOfEach(await props.searchParams, (value) => value);
    const actor = await currentActor();
    const admission = admit(audience, actor);
    if (admission === "not-signed-in")
      redirect(`/sign-in?callbackUrl=${encodeURIComponent(addressOf(path, params, searchParams))}`);
    if (admission === "not-allowed") notFound();
    if (Object.entries(params).some(([name, value]) => name.endsWith("Id") && !isId(value))) notFound();
    const member = actor !== undefined && isMember(actor) ? actor : undefined;
    // As in route.ts: the row admitted this actor, which is what the conditional types say.
    const input = { platform: webPlatform(), params, searchParams, actor, member } as PageInput<Path>;
    try {
      return await draw(input);
    } catch (error) {
      if (error instanceof Problem && error.code === "NOT_FOUND") notFound();
      // Next logs it itself.
      throw withoutParameters(error);
    }
  };
}

function firstOfEach(
  values: Record<string, string | string[] | undefined>,
  decode: (value: string) => string,
): Record<string, string> {
  const pairs = Object.entries(values).flatMap(([key, value]) => {
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? [] : [[key, decode(first)] as const];
  });
  return Object.fromEntries(pairs);
}

/** A segment that decodes to nothing sensible names nothing that exists. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function addressOf(
  path: string,
  params: Record<string, string>,
  searchParams: Record<string, string>,
): string {
  const filled = path.replace(/\[(\w+)\]/g, (_match, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = new URLSearchParams(searchParams).toString();
  return query === "" ? filled : `${filled}?${query}`;
}
