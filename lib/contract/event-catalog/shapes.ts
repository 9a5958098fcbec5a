import * as z from "zod";

/** What the events of the catalog have in common. All objects are loose: cores may send more. */

export const money = z
  .looseObject({
    amount: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .describe("Decimal number as text, so that nothing rounds it."),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe("ISO 4217 code."),
  })
  .describe("An amount of money.");

export const policyLocator = z.string().min(1).describe("The policy's identifier in the core.");
export const productName = z.string().min(1).describe("The product, as the tenant's core lists it.");
export const policyData = z
  .record(z.string(), z.json())
  .describe("The policy's data, in the shape of the product's schema.");

export const date = z.iso.date();
export const moment = z.iso.datetime({ offset: true });

export const party = z
  .looseObject({
    name: z.string().describe("Full name."),
    email: z.email().optional().describe("Email address."),
  })
  .describe("A person or company.");
