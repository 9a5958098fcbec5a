import { type NextRequest, NextResponse } from "next/server";
import type { Environment } from "@/lib/server/platform/environment";
import { webEnvironment } from "@/lib/server/surface/web/platform";

/** Adds security headers to every response, with a new nonce for each page. Access is checked by the pages and routes. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const security = createSecurityHeaders(nonce, webEnvironment());
  const forwarded = new Headers(request.headers);
  forwarded.set("x-nonce", nonce);
  forwarded.set("content-security-policy", security["content-security-policy"] ?? "");
  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(security)) response.headers.set(name, value);
  return response;
}

/** Pictures of listings come with a policy of their own. */
export const config = { matcher: ["/((?!_next/static|_next/image|favicon.ico|images/).*)"] };

/** Scripts and styles need the request's nonce, nothing loads from other hosts, and no page can frame ours. */
function createSecurityHeaders(
  nonce: string,
  { NODE_ENV, PLATFORM_WEB_URL }: Environment,
): Record<string, string> {
  const development = NODE_ENV === "development";
  const policy = [
    "default-src 'self'",
    // React's development build needs eval for its stack traces.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src-elem 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // React Aria positions popovers and dragged items with style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  const headers = {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
  return PLATFORM_WEB_URL.startsWith("https:")
    ? { ...headers, "strict-transport-security": "max-age=31536000; includeSubDomains" }
    : headers;
}
