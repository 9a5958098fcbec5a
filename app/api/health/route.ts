import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/health", { run: () => ({ status: "ok" }) });
