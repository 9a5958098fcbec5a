import * as z from "zod";

/** What the web tells of the platform: at `GET /api/platform`, and in the package of the command line that it offers. */
export const platformAddresses = z.object({ gatewayUrl: z.url({ protocol: /^https?$/ }) });
export type PlatformAddresses = z.infer<typeof platformAddresses>;
