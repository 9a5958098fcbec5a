import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { webEnvironment } from "@/lib/server/surface/web/platform";
import { respondWithProblem } from "@/lib/server/surface/web/route";
import { authOptions, checkSignInRequest, withLocalCallback } from "@/lib/server/surface/web/session";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/** next-auth's handler, created at the first request because its options need the environment, which a build doesn't have. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const { PLATFORM_WEB_URL: webUrl } = webEnvironment();
  try {
    checkSignInRequest(request, webUrl);
    return await NextAuth(authOptions())(withLocalCallback(request, webUrl), context);
  } catch (error) {
    return respondWithProblem(error, { name: request.method === "GET" ? GET_NAME : POST_NAME });
  }
}

const GET_NAME = "GET /api/auth/[...nextauth]";
const POST_NAME = "POST /api/auth/[...nextauth]";

export { handle as GET, handle as POST };
