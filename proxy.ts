import { NextResponse, type NextRequest } from "next/server";
import { webEnvironment } from "@/lib/server/web/platform";
import { securityHeaders } from "@/lib/server/web/security-headers";

/** Gives each page a nonce of its own and every answer its security headers. Who may what is decided behind it, not here. */
export function proxy(request: NextRequest): NextResponse {
  const environment = webEnvironment();
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const security = securityHeaders({
    nonce,
    development: environment.NODE_ENV === "development",
    https: environment.PLATFORM_WEB_URL.startsWith("https:"),
  });
  const forwarded = new Headers(request.headers);
  forwarded.set("x-nonce", nonce);
  forwarded.set("content-security-policy", security["content-security-policy"] ?? "");
  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(security)) response.headers.set(name, value);
  return response;
}

export const config = { matcher: ["/((?!_next/static|_next/image|favicon.ico).*)"] };
