/** What apps read with the key of a request. */
import { webhookSecrets } from "@/lib/contract/calls/gateway-answers";
import { stateRecord } from "@/lib/contract/catalog/configuration";
import { serveWebhookSecrets } from "../../../calls/deliveries/webhook-secrets";
import { serveState } from "../../../calls/serve-state";
import { STATE_KEY } from "./credentials";
import { readTrace } from "./exchange";
import { json, jsonText, route } from "./route";

const KEY = { key: "The value of the `x-PLATFORM-key` header of the request that the app is handling." };

export const state = route({
  name: "GET /state/<key>",
  credential: STATE_KEY,
  work: "state",
  summary: "Read the state of a request",
  description:
    "For apps. The key selects one customer's configuration, fixed for the request that carried it. A stop or an " +
    "uninstall ends all keys within one second. Unknown, expired, revoked, and malformed keys get the same response.",
  parameters: KEY,
  answer: jsonText(stateRecord, {
    settings: { region: "eu", apiKey: "the customer's key" },
    mappings: [{ productName: "Personal Auto", fields: { vin: "$.vehicle.vin" } }],
    coreApiUrl: "https://api.core.example/tenants/harbor",
    tenantHostName: "harbor.core.example",
    token: "eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl",
  }),
  problems: ["NOT_FOUND"],
  run: ({ platform, parts: [key = ""], request }) =>
    serveState(platform, key, { trace: readTrace(request), host: request.headers.host }),
});

export const secrets = route({
  name: "GET /state/<key>/webhook-secrets",
  credential: STATE_KEY,
  work: "state",
  summary: "Read the secrets that sign webhooks",
  description:
    "For apps: the current secret first. After a rotation, the previous one signs as well for a while. Verify webhooks " +
    "with a Standard Webhooks library.",
  parameters: KEY,
  answer: json(webhookSecrets, { secrets: [`whsec_${"A".repeat(43)}=`] }),
  problems: ["NOT_FOUND"],
  run: ({ platform, parts: [key = ""] }) => serveWebhookSecrets(platform, key),
});
