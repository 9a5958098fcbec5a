import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { expect, test, vi } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import { cookieName } from "./cookies";
import { authOptions, withLocalCallback } from "./session";

const platform = await testPlatform();
const WEB_URL = platform.environment.PLATFORM_WEB_URL;
vi.stubEnv("NEXTAUTH_URL", WEB_URL);
Object.assign(globalThis, { hostingPlatform: platform, hostingEnvironment: platform.environment });

const FOREIGN = [
  "\\\\evil.example",
  "\\evil.example",
  `${WEB_URL}.evil.example`,
  "//evil.example",
  "/\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "http://",
  "%",
];

/** What next-auth answers to the request that our route handler passes on, through its handler that needs no Next. */
async function ask(path: string, body?: Record<string, string>) {
  const url = `${WEB_URL}/api/auth/${path}`;
  const { nextUrl } = withLocalCallback(new NextRequest(url), WEB_URL);
  const nextauth = nextUrl.pathname.split("/").slice(3);
  const query = { ...Object.fromEntries(nextUrl.searchParams), nextauth };
  const method = body === undefined ? "GET" : "POST";
  const answer = { status: 0, headers: new Map<string, unknown>() };
  const response = {
    status: (status: number) => Object.assign(answer, { status }) && response,
    getHeader: (name: string) => answer.headers.get(name),
    setHeader: (name: string, value: unknown) => void answer.headers.set(name, value),
    json: () => undefined,
    send: () => undefined,
    end: () => undefined,
  };
  const handle: (request: object, response: object) => Promise<void> = NextAuth(authOptions());
  await handle({ method, query, body, cookies: {}, headers: {} }, response);
  return { status: answer.status, sent: JSON.stringify([...answer.headers]) };
}

const callbackCookie = (url: string) => `${cookieName("callback-url")}=${encodeURIComponent(url)};`;

// Guarantee: whatever a link names as its destination, signing in neither fails nor leaves the platform.
test.each(FOREIGN)("the callbackUrl %j is ignored", async (wanted) => {
  const query = `callbackUrl=${encodeURIComponent(wanted)}`;
  for (const path of ["csrf", "session", "providers", "signin", "signout"]) {
    const { status, sent } = await ask(`${path}?${query}`);
    expect(status, path).toBeLessThan(500);
    expect(sent, path).not.toContain("evil.example");
  }
  const { status, sent } = await ask("signin/credentials", { callbackUrl: wanted });
  expect(status).toBeLessThan(500);
  expect(sent).toContain(callbackCookie(`${WEB_URL}/`));
});

test("a path or an address of the platform is kept", async () => {
  for (const wanted of ["/launch/acme/vin?test=1", `${WEB_URL}/launch/acme/vin?test=1`]) {
    const { sent } = await ask(`csrf?callbackUrl=${encodeURIComponent(wanted)}`);
    expect(sent).toContain(callbackCookie(`${WEB_URL}/launch/acme/vin?test=1`));
  }
});
