import * as z from "zod";

const stringMap = z.record(z.string(), z.string());

/** The response of `GET {state_api}/state/<key>`: exactly these five members (contract, section 2.3). */
export const stateRecord = z.strictObject({
  settings: stringMap.meta({
    description: "The customer's values, by setting name. A skipped setting is absent.",
  }),
  mappings: z
    .array(z.strictObject({ productName: z.string(), fields: stringMap }))
    .meta({ description: "One entry for each of the customer's products." }),
  coreApiUrl: z.string().meta({ description: "URL of the core's API for this customer." }),
  tenantHostName: z.string().meta({ description: "Host name of the customer's tenant." }),
  token: z.string().meta({ description: "JWT for the core's API, issued for this call." }),
});

export type StateRecord = z.infer<typeof stateRecord>;
