import { z } from "zod";
import { shownText } from "./shown-text";

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
    .array(
      z.object({
        name: z.string().min(1).max(100),
        schema: z.record(z.string(), z.json()),
        /** Policy data as an app would get it, for trying mappings out. */
        sample: z.json().optional(),
      }),
    )
    .max(200),
});

export const tenantInput = z.strictObject({
  name: shownText.min(1, "Name the tenant, such as 'Production'.").max(100),
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

export const createdTenant = z.object({ tenantId: z.uuid() });

/** The header in which the platform sends the tenant's credential to its core, beside `Authorization: Bearer <token>`. */
export const CORE_CREDENTIAL_HEADER = "x-api-key";

/** What a header can carry: no other text reaches a core as it was typed. */
export const credentialValue = z
  .string()
  .min(1, "Enter the credential.")
  .max(4096, "Use at most 4,096 characters.")
  .regex(/^[!-~](?:[ -~]*[!-~])?$/, "Use letters, digits and signs of ASCII, with no space at either end.");

/** What the core asks of the platform beside its token: sensitive, so that it is kept, set or cleared, never read back. */
export const credentialAction = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("keep") }),
  z.strictObject({ action: z.literal("set"), value: credentialValue }),
  z.strictObject({ action: z.literal("clear") }),
]);
export type CredentialAction = z.infer<typeof credentialAction>;

/** One step of a connection test, in the order in which they are tried; after the first that fails there is none. */
export const connectionStep = z.object({
  step: z.enum(["address", "connect", "sign-in", "products"]),
  ok: z.boolean(),
  /** What was found, or what is wrong and how to mend it. */
  detail: z.string(),
});

export const connectionTest = z.object({
  ok: z.boolean(),
  steps: z.array(connectionStep),
  /** ISO 8601. */
  testedAt: z.string(),
  durationMs: z.number(),
  products: z.array(z.string()),
});
export type ConnectionTest = z.infer<typeof connectionTest>;
export type ConnectionStep = z.infer<typeof connectionStep>["step"];

/** `credential` of a new tenant: anything but `set` for none; of a saved one: left out to keep it. */
export const tenantConnectInput = tenantInput.extend({ credential: credentialAction.optional() });
export type TenantConnectInput = z.infer<typeof tenantConnectInput>;

/** What a test of a connection needs of it; the name may be sent too, and need not. */
export const connectionInput = tenantConnectInput.partial({ name: true });
export type ConnectionInput = z.infer<typeof connectionInput>;

/** What reading a tenant's products again gives: all of them, and what differs from before. */
export const productsRead = z.object({
  products: z.array(z.string()),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Those whose schema is another than before. */
  changed: z.array(z.string()),
});
export type ProductsRead = z.infer<typeof productsRead>;
