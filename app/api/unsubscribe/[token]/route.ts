import { unsubscribe } from "@/lib/server/platform/notifications/preferences";
import { route } from "@/lib/server/surface/web/route";

/** A person who opens the link chooses on a page, because mail scanners open links too. */
export const GET = route("GET /api/unsubscribe/[token]", {
  run: () => new Response(null, { status: 303, headers: { location: "/account/notifications" } }),
});

/** Mail readers send it when a person unsubscribes with one click (RFC 8058). */
export const POST = route("POST /api/unsubscribe/[token]", {
  anyOrigin: true,
  run: ({ platform, params }) => unsubscribe(platform, params.token ?? ""),
});
