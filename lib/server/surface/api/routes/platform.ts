/** What the gateway says about itself, and about who asks. */
import {
  describeHealth,
  healthAnswer,
  jwksAnswer,
  liveAnswer,
  whoamiAnswer,
} from "@/lib/contract/calls/gateway-answers";
import { findMissing } from "../../../platform/database/availability";
import { apiKey, NO_CREDENTIAL } from "./credentials";
import { answerJson, type Exchange, webPage } from "./exchange";
import { json, raw, route } from "./route";

export const live = route({
  name: "GET /live",
  credential: NO_CREDENTIAL,
  summary: "Check whether the gateway's process answers",
  description: "It answers while the database is unavailable, too: restarting the gateway wouldn't help.",
  answer: raw("application/json", liveAnswer, { status: "ok" }),
  run: ({ response }) => answerJson(response, 200, { status: "ok" }),
});

export const ready = route({
  name: "GET /ready",
  credential: NO_CREDENTIAL,
  summary: "Check whether the gateway can serve requests",
  description: "Send requests to gateways that answer 200.",
  answer: raw("application/json", healthAnswer, { status: "ok" }),
  run: answerReady,
});

export const health = route({
  name: "GET /health",
  credential: NO_CREDENTIAL,
  summary: "The same as /ready",
  answer: raw("application/json", healthAnswer, { status: "ok" }),
  run: answerReady,
});

async function answerReady({ platform, response, isDraining }: Exchange): Promise<void> {
  const health = describeHealth(isDraining, isDraining ? [] : await findMissing(platform));
  if (health.status !== "ok") response.setHeader("retry-after", "2");
  answerJson(response, health.status === "ok" ? 200 : 503, health);
}

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
