import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { webEnvironment } from "@/lib/server/web/platform";
import { authOptions } from "@/lib/server/web/session";
import { withLocalCallback } from "@/lib/server/web/sign-in-callback";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/** next-auth's handler, created at the first request because its options need the environment, which a build doesn't have. */
function handle(request: NextRequest, context: Context): Promise<Response> {
  return NextAuth(authOptions())(withLocalCallback(request, webEnvironment().PLATFORM_WEB_URL), context);
}

export { handle as GET, handle as POST };
