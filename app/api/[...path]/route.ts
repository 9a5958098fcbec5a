import { serveRoutes } from "@/lib/server/surface/web/route";
import { accountsRoutes } from "./accounts";
import { catalogRoutes } from "./catalog";
import { insightRoutes } from "./insight";
import { installationsRoutes } from "./installations";
import { moderationRoutes } from "./moderation";
import { platformRoutes } from "./platform";
import { runtimeRoutes } from "./runtime";

/** Every handler below `/api`, in one file for each context. Sign-in is next-auth's, in `../auth`. */
const handle = serveRoutes([
  ...platformRoutes,
  ...accountsRoutes,
  ...catalogRoutes,
  ...runtimeRoutes,
  ...insightRoutes,
  ...installationsRoutes,
  ...moderationRoutes,
]);

export { handle as GET, handle as POST, handle as PUT, handle as DELETE };
