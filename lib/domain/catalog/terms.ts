/** A publisher's terms: who is asked to accept them, and when they are asked again. */
import type { Terms } from "@/lib/contract/catalog/listing";
import type { Issue } from "@/lib/contract/platform/problem";

export const NO_TERMS: Terms = { url: "", version: "" };

export function isSameTerms(one: Terms, other: Terms): boolean {
  return one.url === other.url && one.version === other.version;
}

interface Runner {
  organizationId: string;
  test: boolean;
}

/**
 * What an organization must accept to run an app; undefined if nothing. Test Launches, and so trials, run before anybody decides to use
 * the app. A publisher has no contract with itself.
 */
export function findAskedTerms(
  { terms, publisherId }: { terms: Terms; publisherId: string },
  { organizationId, test }: Runner,
): Terms | undefined {
  return test || organizationId === publisherId || terms.url === "" ? undefined : terms;
}

/** What an installation has not accepted: another link or another version is another agreement. */
export function findNewTerms(asked: Terms | undefined, accepted: Terms | null): Terms | undefined {
  if (asked === undefined || (accepted !== null && isSameTerms(asked, accepted))) return undefined;
  return asked;
}

/** Also what the server answers if nothing was accepted. */
export const TERMS_NOT_ACCEPTED = {
  code: "terms-accept",
  pointer: "/acceptedTerms",
  message: "Read and accept the publisher's terms to continue.",
} as const satisfies Issue;
