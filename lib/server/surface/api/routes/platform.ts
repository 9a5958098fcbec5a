/** What the gateway says about itself, and about who asks. */
import { describeHealth, healthAnswer, jwksAnswer, whoamiAnswer } from "@/lib/contract/calls/gateway-answers";
import { isDatabaseAvailable } from "../../../platform/database/availability";
import { apiKey, NO_CREDENTIAL } from "./credentials";
import { answerJson, webPage } from "./exchange";
import { json, raw, route } from "./route";

export const health = route({
  name: "GET /health",
  credential: NO_CREDENTIAL,
  summary: "Check the gateway",
  answer: raw("application/json", healthAnswer, { status: "ok" }),
  run: async ({ platform, response, isDraining }) => {
    const health = describeHealth(isDraining, isDraining || (await isDatabaseAvailable(platform)));
    if (health.status !== "ok") response.setHeader("retry-after", "2");
    answerJson(response, health.status === "ok" ? 200 : 503, health);
  },
});

export const keySet = route({
  name: "GET /.well-known/jwks.json",
  credential: NO_CREDENTIAL,
  summary: "Read the keys that verify tokens",
  description: "A JSON Web Key Set. Tokens in state records are JWTs that one of these keys has signed.",
  answer: json(jwksAnswer),
  run: ({ platform }) => platform.services.tokens.readJwks(),
});

export const whoami = route({
  name: "GET /publish/v1/whoami",
  credential: apiKey(),
  summary: "Check an API key",
  answer: json(whoamiAnswer, {
    organization: { slug: "acme", name: "Acme" },
    apiKey: { name: "CI", scopes: ["publish", "manifest:read"] },
    webUrl: "https://platform.example/",
  }),
  run: ({ platform, caller: { organizationSlug, organizationName, apiKeyName, scopes } }) => ({
    organization: { slug: organizationSlug, name: organizationName },
    apiKey: { name: apiKeyName, scopes: [...scopes] },
    webUrl: webPage(platform, "/"),
  }),
});
