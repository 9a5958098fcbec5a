/** What apps answer to the core's synchronous calls, and to checks of a configuration. Members that are not listed pass unchanged. */
import * as z from "zod";

/** To `POST` of an autofill route. */
export const autofillAnswer = z.looseObject({
  /** The policy data with the values that the app filled in. */
  data: z.looseObject({}, "Send the policy data as an object, or leave it out.").optional(),
});

/** To `POST` of an external rater's route. */
export const raterAnswer = z.looseObject({
  price: z.number("Send the price as a JSON number, or leave it out.").optional(),
  /** ISO 4217. */
  currency: z
    .string("Send a currency code such as EUR, or leave it out.")
    .regex(/^[A-Z]{3}$/, "Send a currency code of three capital letters, such as EUR.")
    .optional(),
});
