import { z } from "zod";

/** What the core sends to `POST /core/v1/events`. */
export const coreEvent = z.strictObject({
  id: z.string().min(1).max(200),
  type: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, "Use a dotted name such as 'policy.issued'."),
  timestamp: z.iso.datetime({ offset: true }),
  transactionId: z.string().max(200).optional(),
  username: z.string().max(200).optional(),
  data: z.json(),
});
export type CoreEvent = z.infer<typeof coreEvent>;

/** A product as the core's `GET {coreApiUrl}/products` lists it; `schema` is a JSON Schema of its policy data. */
export const coreProducts = z.object({
  products: z
    .array(z.object({ name: z.string().min(1).max(100), schema: z.record(z.string(), z.json()) }))
    .max(200),
});

export const tenantInput = z.strictObject({
  name: z.string().trim().min(1, "Name the tenant, such as 'Production'.").max(100),
  hostName: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/, "Write a host name such as tenant.core.example."),
  coreApiUrl: z
    .url({ protocol: /^https?$/, message: "Write an address such as https://api.core.example." })
    .max(500),
});
export type TenantInput = z.infer<typeof tenantInput>;
