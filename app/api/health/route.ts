import { route } from "@/lib/server/web/route";

export const GET = route("GET /api/health", { run: () => ({ status: "ok" }) });
