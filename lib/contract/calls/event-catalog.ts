import * as z from "zod";
import { isAddress } from "../accounts/account";
import { coreEvent, type CoreEvent } from "../platform/core";

/** What the events of the catalog have in common. All objects are loose: cores may send more. */

const money = z
  .looseObject({
    amount: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .describe("Decimal number as text, so that it is never rounded."),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe("ISO 4217 code."),
  })
  .describe("An amount of money.");

const policyLocator = z.string().min(1).describe("The policy's identifier in the core.");
const productName = z.string().min(1).describe("The product, as the tenant's core lists it.");
const policyData = z
  .record(z.string(), z.json())
  .describe("The policy's data, in the shape of the product's schema.");

const date = z.iso.date();
const moment = z.iso.datetime({ offset: true });

const party = z
  .looseObject({
    name: z.string().describe("Full name."),
    email: z
      .string()
      .refine(isAddress, "Invalid email address")
      .meta({ format: "idn-email" })
      .optional()
      .describe("Email address."),
  })
  .describe("A person or company.");

/** An event that cores commonly send, with the shape of its payload. */
interface CatalogEvent {
  type: string;
  title: string;
  /** When the core sends it, in one sentence. */
  description: string;
  /** The shape of the whole event. */
  schema: z.ZodType;
  /** A valid event with fictional data. */
  sample: CoreEvent;
}

const AUTO = {
  vehicle: { vin: "1HGCM82633A004352", make: "Honda", modelYear: 2003, annualKilometres: 14000 },
  driver: { name: "Sam Sample", birthDate: "1985-04-12" },
};
const PREMIUM = { amount: "812.50", currency: "USD" };
const AUTO_POLICY = { policyLocator: "POL-1001", productName: "Personal Auto" };

const term = {
  effectiveDate: date.describe("First day of coverage."),
  expirationDate: date.describe("Day on which coverage ends."),
};
const premium = money.describe("The premium for the whole term.");

function describeEvent<Data extends z.core.$ZodLooseShape>(
  about: { type: string; title: string; description: string },
  data: Data,
  sample: z.input<z.ZodObject<Data, z.core.$loose>>,
): CatalogEvent {
  const { type, title, description } = about;
  const schema = coreEvent.extend({
    type: z.literal(type),
    data: z.looseObject(data),
  });
  const event = {
    id: `evt-${type}-1`,
    type,
    timestamp: "2026-01-31T12:00:00Z",
    transactionId: "T-20",
    username: "jane",
    data: sample,
  };
  return { type, title, description, schema, sample: coreEvent.parse(event) };
}

/**
 * The catalog. Other types are accepted too, and so are events of these types with other payloads: it says what apps may
 * rely on if a core follows it. Served as JSON Schema at `/schemas/events/<type>.json`, and shown on `/docs/events`.
 */
export const EVENT_CATALOG: readonly CatalogEvent[] = [
  describeEvent(
    {
      type: "policy.issued",
      title: "Policy issued",
      description: "A new policy is in force or will be from its effective date.",
    },
    { policyLocator, productName, ...term, policyHolder: party, premium, data: policyData },
    {
      ...AUTO_POLICY,
      effectiveDate: "2026-02-01",
      expirationDate: "2027-02-01",
      policyHolder: { name: "Sam Sample", email: "sam@sample.example" },
      premium: PREMIUM,
      data: AUTO,
    },
  ),
  describeEvent(
    {
      type: "policy.changed",
      title: "Policy changed",
      description: "An endorsement changed a policy during its term.",
    },
    {
      policyLocator,
      productName,
      effectiveDate: date.describe("First day on which the change applies."),
      reason: z.string().optional().describe("Why it was changed."),
      premium,
      premiumChange: money.optional().describe("What the change adds to the premium; negative for a return."),
      data: policyData,
    },
    {
      ...AUTO_POLICY,
      effectiveDate: "2026-05-15",
      reason: "Annual distance updated",
      premium: { amount: "846.00", currency: "USD" },
      premiumChange: { amount: "33.50", currency: "USD" },
      data: { ...AUTO, vehicle: { ...AUTO.vehicle, annualKilometres: 21000 } },
    },
  ),
  describeEvent(
    {
      type: "policy.renewed",
      title: "Policy renewed",
      description: "A policy continues for another term.",
    },
    { policyLocator, productName, ...term, premium, data: policyData },
    {
      ...AUTO_POLICY,
      effectiveDate: "2027-02-01",
      expirationDate: "2028-02-01",
      premium: { amount: "829.75", currency: "USD" },
      data: AUTO,
    },
  ),
  describeEvent(
    {
      type: "policy.cancelled",
      title: "Policy cancelled",
      description: "A policy ends before its expiration date.",
    },
    {
      policyLocator,
      productName,
      cancellationDate: date.describe("Day on which coverage ends."),
      reason: z.string().describe("Why it was cancelled."),
      refund: money.optional().describe("The amount refunded to the policyholder."),
    },
    {
      ...AUTO_POLICY,
      cancellationDate: "2026-08-31",
      reason: "Vehicle sold",
      refund: { amount: "338.54", currency: "USD" },
    },
  ),
  describeEvent(
    {
      type: "quote.priced",
      title: "Quote priced",
      description: "A quote has a premium and can be offered.",
    },
    {
      quoteLocator: z.string().min(1).describe("The quote's identifier in the core."),
      productName,
      premium,
      validUntil: date.describe("Last day on which the quote can be accepted."),
      data: policyData,
    },
    {
      quoteLocator: "QUO-3001",
      productName: "Personal Auto",
      premium: PREMIUM,
      validUntil: "2026-03-02",
      data: AUTO,
    },
  ),
  describeEvent(
    {
      type: "invoice.paid",
      title: "Invoice paid",
      description: "An invoice of a policy was paid in full.",
    },
    {
      invoiceLocator: z.string().min(1).describe("The invoice's identifier in the core."),
      policyLocator,
      amount: money.describe("What was paid."),
      paidAt: moment.describe("When it was paid."),
      paymentMethod: z.string().optional().describe("How it was paid."),
    },
    {
      invoiceLocator: "INV-5001",
      policyLocator: "POL-1001",
      amount: PREMIUM,
      paidAt: "2026-02-03T09:30:00Z",
      paymentMethod: "card",
    },
  ),
  describeEvent(
    {
      type: "claim.opened",
      title: "Claim opened",
      description: "A loss was reported on a policy.",
    },
    {
      claimLocator: z.string().min(1).describe("The claim's identifier in the core."),
      policyLocator,
      productName,
      lossDate: date.describe("Day of the loss."),
      reportedAt: moment.describe("When it was reported."),
      description: z.string().describe("What happened."),
      claimant: party.optional().describe("Who reported it."),
    },
    {
      claimLocator: "CLM-7001",
      ...AUTO_POLICY,
      lossDate: "2026-06-10",
      reportedAt: "2026-06-11T08:15:00Z",
      description: "Windshield cracked by a stone",
      claimant: { name: "Sam Sample" },
    },
  ),
];

export function findCatalogEvent(type: string): CatalogEvent | undefined {
  return EVENT_CATALOG.find((event) => event.type === type);
}

/** JSON Schema (2020-12) of an event, for machines. @param id the URL at which it is served */
export function catalogSchema({ schema, title, description, sample }: CatalogEvent, id: string): object {
  const generated = z.toJSONSchema(schema, { io: "input", reused: "inline", unrepresentable: "any" });
  const copy: object = JSON.parse(
    JSON.stringify({ ...generated, $id: id, title, description, examples: [sample] }),
  );
  return copy;
}
