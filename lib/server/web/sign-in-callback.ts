import { NextRequest } from "next/server";
import { Problem } from "@/lib/contract/problem";
import { localPath } from "@/lib/domain/local-path";

/** Where next-auth may send a user: a path of this platform, otherwise home. */
export function toLocalUrl(wanted: string, webUrl: string): string {
  const { origin } = new URL(webUrl);
  return origin + localPath(wanted, "/", origin);
}

/** next-auth responds with a 500 to a `callbackUrl` that is not a URL, before it asks where it may send the user. */
export function withLocalCallback(request: NextRequest, webUrl: string): NextRequest {
  const url = new URL(request.url);
  const wanted = url.searchParams.get("callbackUrl");
  if (wanted === null) return request;
  url.searchParams.set("callbackUrl", toLocalUrl(wanted, webUrl));
  return new NextRequest(url, request);
}

/** Of a sign-in form; the largest field is a URL. */
const MOST_BYTES = 64 * 1024;

/**
 * Throws for requests to which next-auth would respond with a 500, or which no page of ours sends: a sign-in by GET, another
 * origin's form, and anything that is not a small form.
 */
export function checkSignInRequest(request: Request, webUrl: string): void {
  const { headers, method } = request;
  const { pathname } = new URL(request.url);
  // It would write what anyone sends into our log.
  if (pathname.endsWith("/_log")) throw new Problem("NOT_FOUND");
  if (method !== "POST") {
    if (pathname.endsWith("/callback/credentials"))
      throw new Problem(
        "WRONG_METHOD",
        "This address accepts only POST requests. Sign in on the sign-in page.",
      );
    return;
  }
  checkOrigin(headers, webUrl);
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new Problem("WRONG_MEDIA_TYPE", "Send a form, as 'application/x-www-form-urlencoded'.");
  const length = headers.get("content-length") ?? "";
  if (!/^\d{1,6}$/.test(length) || Number(length) > MOST_BYTES)
    throw new Problem(
      "TOO_LARGE",
      `Send a form of at most ${MOST_BYTES / 1024} KiB, with its Content-Length.`,
    );
}

/** Browsers send `Origin` with every mutation, and pages cannot forge it. */
export function checkOrigin(headers: Headers, webUrl: string): void {
  const own = new URL(webUrl).origin;
  if (headers.get("origin") === own) return;
  throw new Problem("WRONG_ORIGIN", `Send this request from a page of ${own}.`);
}
