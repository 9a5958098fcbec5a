/** Calls to the app, and the state that it reads during them. */
import * as z from "zod";
import { ROUTE_KINDS } from "@/lib/contract/catalog/installation-states";
import { issueShape } from "@/lib/contract/catalog/manifest-draft";
import { APP_FAULTS } from "@/lib/contract/platform/issue-codes";
import { atMost } from "@/lib/contract/platform/text";

/** A read of the state API. */
export const devRead = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  callId: z.string().nullable().meta({ description: "Null if the key belongs to no call." }),
  customerId: z.uuid().nullable(),
  customerName: z.string().nullable(),
  key: z.string().meta({ description: "The first and last characters of the key." }),
  what: z.enum(["state", "webhook-secrets"]),
  status: z.int(),
  ms: z.number(),
  refusal: z
    .string()
    .nullable()
    .meta({ description: "Why the key opened nothing, which the app isn't told; null after 200." }),
  answered: z
    .json()
    .nullable()
    .meta({ description: "What was answered, with secrets and the token masked." }),
});
export type DevRead = z.infer<typeof devRead>;

const headers = z.record(z.string(), z.string());

export const devCall = z.object({
  id: z.string(),
  customerId: z.uuid(),
  customerName: z.string(),
  sender: z.enum(["console", "terminal", "drill", "platform"]),
  route: z.string(),
  kind: z.enum(ROUTE_KINDS),
  name: z.string().nullable().meta({
    description: "The event's type, the operation, or the lifecycle event; null for kinds without.",
  }),
  startedAt: z.iso.datetime(),
  /** As the app received it; its state key is shortened. */
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers,
    body: z.string().nullable(),
  }),
  done: z.boolean(),
  /** Null if the app didn't answer, and while the call is in progress. */
  response: z.object({ status: z.int(), headers, body: z.string().nullable() }).nullable(),
  ms: z.number().nullable(),
  fault: z
    .enum(APP_FAULTS)
    .nullable()
    .meta({ description: "Why the call failed on the platform's terms; null if it succeeded." }),
  failure: z.string().nullable(),
  issues: z.array(issueShape).meta({ description: "Where the answer is not as documented." }),
  reads: z.array(devRead).meta({ description: "The state reads with its key." }),
});
export type DevCall = z.infer<typeof devCall>;

export const devCallInput = z.strictObject({
  customerId: z.uuid(),
  /** `route` of a declared route. */
  route: z.string(),
  /** An event's type or an operation. Without it, the first that the route accepts. */
  name: z.string().max(100, atMost(100)).optional(),
  /** Of an endpoint; the first declared one without it. */
  method: z.string().max(10, atMost(10)).optional(),
  /** Of an endpoint: its whole path, with a query. */
  path: z.string().max(2_000, atMost(2_000)).optional(),
  /** JSON text, sent as it was written; of an endpoint, any text. A sample of the customer's own product without it. */
  text: z
    .string()
    .max(2 * 1024 * 1024)
    .optional(),
  sender: z.enum(["console", "terminal"]).default("console"),
});
export type DevCallInput = z.input<typeof devCallInput>;

/** JSON text to edit. */
export const devSample = z.object({ payload: z.string() });

/** Made-up customers. Each is one installation of the app. */
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
