import * as z from "zod";
import { atMost } from "./text";
import { shownText, storableText } from "./text-shapes";

/** The last moment that JavaScript can express. */
const LATEST_MS = 8.64e15;

/**
 * What the core sends to `POST /core/v1/events`. Cores differ in what else they send: apps receive the event as it was sent,
 * with the members that are not listed here.
 */
export const coreEvent = z.looseObject({
  id: storableText.min(1, "Enter the event's ID.").max(200, atMost(200)),
  type: z
    .string()
    .max(100, atMost(100))
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, "Use a dotted name such as 'policy.issued'."),
  timestamp: z.union(
    [z.iso.datetime({ offset: true }), z.number().min(0).max(LATEST_MS)],
    'Use ISO 8601 text such as "2026-01-31T12:00:00Z", or a number of milliseconds since 1970.',
  ),
  transactionId: z.string().max(200, atMost(200)).nullish(),
  username: z.string().max(200, atMost(200)).nullish(),
  // Not `z.json()`: it would visit every part of what was parsed from JSON a moment ago.
  data: z.unknown().refine((data) => data !== undefined, "This field is required."),
});
export type CoreEvent = z.infer<typeof coreEvent>;

/** The products that the core's `GET {coreApiUrl}/products` returns; `schema` is a JSON Schema of the policy data. */
export const coreProducts = z.object({
  products: z
    .array(
      z.object({
        name: z.string().min(1).max(100),
        schema: z.record(z.string(), z.json()),
        /** Policy data as an app would get it, to try mappings with. */
        sample: z.json().optional(),
      }),
    )
    .max(200),
});

export const tenantInput = z.strictObject({
  name: shownText.min(1, "Enter a name, such as Production.").max(100, atMost(100)),
  hostName: z
    .string()
    .trim()
    .toLowerCase()
    .max(253, atMost(253))
    .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/, "Enter a host name, such as tenant.core.example."),
  coreApiUrl: z
    .url({ protocol: /^https?$/, message: "Enter a URL, such as https://api.core.example." })
    .max(500, atMost(500)),
});

export const createdTenant = z.object({ tenantId: z.uuid() });

/** With the credential that the core signs in with, which is never shown again. */
export const rotatedCredential = z.object({ coreCredential: z.string() });

/** Limited to what a header can carry unchanged. */
export const credentialValue = z
  .string()
  .min(1, "Enter the credential.")
  .max(4096, atMost(4096))
  .regex(/^[!-~](?:[ -~]*[!-~])?$/, "Use ASCII characters only, without spaces at the start or end.");

/** The credential that the core requires in addition to the token. Sensitive: kept, set or cleared, never read back. */
export const credentialAction = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("keep") }),
  z.strictObject({ action: z.literal("set"), value: credentialValue }),
  z.strictObject({ action: z.literal("clear") }),
]);
export type CredentialAction = z.infer<typeof credentialAction>;

/** One step of a connection test, in the order they run. The test ends at the first step that fails. */
export const connectionStep = z.object({
  step: z.enum(["address", "connect", "sign-in", "products"]),
  ok: z.boolean(),
  /** What was found, or what is wrong and how to fix it. */
  detail: z.string(),
});

export const connectionTest = z.object({
  ok: z.boolean(),
  steps: z.array(connectionStep),
  /** ISO 8601. */
  testedAt: z.string(),
  durationMs: z.number(),
  products: z.array(z.string()),
  /** Why apps can't reach the core although the platform does, and what to enter instead. */
  appsProblem: z.string().optional(),
});
export type ConnectionTest = z.infer<typeof connectionTest>;
export type ConnectionStep = z.infer<typeof connectionStep>["step"];

export const connectedTenant = z.object({
  ...createdTenant.shape,
  ...rotatedCredential.shape,
  ...connectionTest.pick({ products: true, appsProblem: true }).shape,
});
export type ConnectedTenant = z.infer<typeof connectedTenant>;

/** `credential`: for a new tenant, anything except `set` means none; for a saved one, leave it out to keep it. */
export const tenantConnectInput = tenantInput.extend({ credential: credentialAction.optional() });
export type TenantConnectInput = z.infer<typeof tenantConnectInput>;

/** What a connection test needs. The name is optional. */
export const connectionInput = tenantConnectInput.partial({ name: true });
export type ConnectionInput = z.infer<typeof connectionInput>;

/** The result of refreshing a tenant's products: all of them, and what changed. */
export const productsRead = z.object({
  products: z.array(z.string()),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Products whose schema changed. */
  changed: z.array(z.string()),
});
export type ProductsRead = z.infer<typeof productsRead>;
