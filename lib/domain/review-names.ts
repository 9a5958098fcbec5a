/** How notifications name a review, and where they link. */

/** The publisher's roles that take part in reviews: operators can't open them. */
export const PUBLISHING_ROLES = ["owner", "publisher"] as const;

/** `version 1.4.0 of VIN autofill`, or `the text of VIN autofill`. */
export function nameSubject(review: { title: string; version: { number: string } | null }): string {
  const { title, version } = review;
  return version === null ? `the text of ${title}` : `version ${version.number} of ${title}`;
}

/** The publisher's page of a review. */
export function reviewPath({ appName, id }: { appName: string; id: string }): string {
  return `/publish/${appName}/reviews/${id}`;
}
