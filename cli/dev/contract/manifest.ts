/** The app's manifest as the emulator uses it, and the routes that can be called. */
import * as z from "zod";
import { ROUTE_KINDS } from "@/lib/contract/installation-states";
import { issueShape } from "@/lib/contract/manifest-draft";

/** A declared route, or a lifecycle event: everything that can be sent to the app. */
export const devRoute = z.object({
  /** `<kind>:<path>`, which identifies it, such as `autofill:/autofill` or `lifecycle:/_app/install`. */
  route: z.string(),
  kind: z.enum(ROUTE_KINDS),
  path: z.string(),
  /** What people call it: a rater's name, an endpoint's title, otherwise the path. */
  title: z.string(),
  /** Events or operations as the manifest declares them. */
  patterns: z.array(z.string()),
  /** Events or operations that can be sent; empty for kinds without. */
  names: z.array(z.string()),
  /** GET or POST, except for endpoints. */
  methods: z.array(z.string()),
});
export type DevRoute = z.infer<typeof devRoute>;

export const devManifest = z.object({
  /** Absolute path of the file. */
  file: z.string(),
  /** From the last valid manifest, which the emulator uses. */
  name: z.string(),
  version: z.string(),
  title: z.string(),
  routes: z.array(devRoute),
  settings: z.int(),
  mappingFields: z.int(),
  /** False while the file has errors: the last valid manifest stays in use. */
  valid: z.boolean(),
  /** Of the file as it is now, with lines and columns. */
  issues: z.array(issueShape),
  readAt: z.iso.datetime(),
});
export type DevManifest = z.infer<typeof devManifest>;
