import { route } from "@/lib/server/surface/web/route";

/** Next would answer once, while it builds. */
export const dynamic = "force-dynamic";

/** The process answers. Restarting it would not help against anything else. */
export const GET = route("GET /live", { withoutSession: true, run: () => ({ status: "ok" }) });
