/** Made-up customers. Each is one installation of the app. */
import * as z from "zod";
import { issueShape } from "@/lib/contract/manifest-draft";
import { atMost } from "@/lib/contract/shown-text";

export const devCustomer = z.object({
  /** Also the id of its installation. */
  id: z.uuid(),
  name: z.string(),
  tenantHostName: z.string(),
  coreApiUrl: z.string(),
  revision: z.int(),
  /** All required answers are there. */
  configured: z.boolean(),
  /** What is missing or no longer fits, by pointer: `/settings/<name>`, `/mappings/<product>/<field>`. */
  missing: z.array(issueShape),
  products: z.array(z.string()),
});
export type DevCustomer = z.infer<typeof devCustomer>;

export const devNewCustomer = z.strictObject({
  name: z.string().trim().min(1, "Enter a name, such as Lakeside Insurance.").max(60, atMost(60)),
});
