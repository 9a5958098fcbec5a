import { NextRequest } from "next/server";
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
