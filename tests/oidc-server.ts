import { createServer } from "node:http";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import Provider from "oidc-provider";
import { freePort } from "@/lib/server/platform/machine";

export const CLIENT = { id: "platform", secret: "a secret of the platform" };

export interface OidcServer {
  issuer: string;
  /** The key that signs ID tokens. */
  key: CryptoKey;
  publicJwk: JWK;
  /** Who signs in next, and what the issuer says about that person. */
  person: { sub: string; name?: unknown; email?: string; email_verified?: boolean };
  /** Changes the next ID tokens, as an attacker between platform and issuer would. */
  tamper?: (idToken: string) => Promise<string>;
  /** Opens the URL to which the platform sends a browser, signs in, and returns the URL to which the issuer sends it back. */
  visit: (url: string) => Promise<string>;
  end: () => Promise<void>;
}

/** A real OpenID Connect issuer on this machine. Whoever comes signs in without being asked. */
export async function startOidcServer(redirectUri: string): Promise<OidcServer> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "issuer" }] },
    cookies: { keys: ["only for tests"] },
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ ...server.person, sub: accountId }),
    }),
  });
  provider.use(async (context, next) => {
    await next();
    const { body } = context;
    if (context.path !== "/token" || server.tamper === undefined || typeof body?.id_token !== "string")
      return;
    context.body = { ...body, id_token: await server.tamper(body.id_token) };
  });
  const answer = provider.callback();
  const http = createServer((request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void answer(request, response);
    void (async () => {
      const { params } = await provider.interactionDetails(request, response);
      const accountId = server.person.sub;
      const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
      grant.addOIDCScope("openid email profile");
      const result = { login: { accountId }, consent: { grantId: await grant.save() } };
      await provider.interactionFinished(request, response, result);
    })();
  });
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const server: OidcServer = {
    issuer,
    key: privateKey,
    publicJwk: await exportJWK(publicKey),
    person: { sub: "nobody" },
    visit: (url) => follow(url, redirectUri),
    end: () => new Promise((resolve) => http.close(() => resolve())),
  };
  return server;
}

/** Follows redirects with cookies of its own, until one leads to the platform. */
async function follow(url: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let steps = 0; steps < 10; steps += 1) {
    if (url.startsWith(redirectUri)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/);
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null)
      throw new Error(`the issuer returned ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error("the issuer redirects in a circle");
}
