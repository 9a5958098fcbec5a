import type { Server } from "node:http";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import { reviews, versions } from "@/drizzle/schema/catalog";
import { audit } from "@/drizzle/schema/platform";
import { callPage } from "@/lib/contract/insight/call";
import { appLogPage, appStatus, appVersions, submittedVersion } from "@/lib/contract/surface/own-app";
import { createApiKey, revokeApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { givenCallWorld } from "@/tests/given-calls";
import { givenLogWorld } from "@/tests/given-logs";
import {
  givenInstallation,
  givenInstalledApp,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { createGateway } from "./serve";

const platform = await testPlatform();
let server: Server;
let base: string;
beforeEach(async () => {
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

type Member = Awaited<ReturnType<typeof givenMember>>;

/** Requests with a key of the member's organization. */
async function givenClient(member: Member, app: string) {
  const { apiKeyId, clientId, apiKey } = await createApiKey(platform, member, "CI");
  const authorization = `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
  const url = (path: string) => `${base}/publish/v1/apps/${member.organization.slug}/${app}${path}`;
  const ask = async (path: string, body?: object, method = body === undefined ? "GET" : "POST") => {
    const headers = { authorization, "content-type": "application/json" };
    const answer = await fetch(url(path), { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
  };
  /** Events of a stream, as they arrive. */
  async function* follow(path: string, after?: string) {
    const headers = { authorization, ...(after === undefined ? {} : { "last-event-id": after }) };
    const answer = await fetch(url(path), { headers });
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    let text = "";
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) yield readEvent(event);
    }
  }
  return { ask, follow, apiKeyId };
}

function readEvent(text: string) {
  const lines = Object.fromEntries(
    text.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  return { event: lines.event ?? "", id: lines.id ?? "", data: JSON.parse(lines.data ?? "null") as unknown };
}

test("the status says what is missing, and links to where it is done", async () => {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher);
  const { ask } = await givenClient(publisher, "vin-lookup");
  const status = appStatus.parse((await ask("/status")).body);
  expect(status).toMatchObject({
    app: "acme/vin-lookup",
    state: "DRAFT",
    newest: { version: version.number, verified: false },
    review: null,
    verified: null,
    installations: 0,
    instances: [],
    pages: { marketplace: null },
  });
  expect(status.checklist).toContainEqual({
    title: "A support link or email address",
    done: false,
    required: false,
    page: "http://localhost:3000/publish/vin-lookup/edit",
  });
});

// Guarantee: what a key changes is recorded as the key's, in its organization's audit trail.
test("a version is submitted by its number and withdrawn, and the audit trail names the key", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenListing(platform, publisher);
  const { ask, apiKeyId } = await givenClient(publisher, "vin-lookup");
  expect(await ask("/reviews", { version: "9.0.0" })).toMatchObject({ status: 404 });
  const submitted = await ask("/reviews", { note: "Use the test tenant." });
  const { reviewId, version, page } = submittedVersion.parse(submitted.body);
  expect(page).toBe(`http://localhost:3000/publish/vin-lookup/reviews/${reviewId}`);
  expect(one(await platform.db.select().from(reviews))).toMatchObject({
    state: "PENDING",
    submittedBy: publisher.userId,
    submissionNote: "Use the test tenant.",
  });
  expect(appStatus.parse((await ask("/status")).body).review).toMatchObject({ state: "PENDING", version });
  expect(await ask("/reviews", {})).toMatchObject({ status: 409, body: { code: "WRONG_STATE" } });
  expect(await ask(`/reviews/${reviewId}`, undefined, "DELETE")).toMatchObject({ status: 204 });
  expect(await ask(`/reviews/${reviewId}`, undefined, "DELETE")).toMatchObject({ status: 409 });
  const rows = await platform.db
    .select({ actor: audit.actor, action: audit.action })
    .from(audit)
    .where(eq(audit.actor, `api-key:${apiKeyId}`));
  expect(rows.map(({ action }) => action)).toEqual(["review.submit", "review.withdraw"]);
});

test("versions are listed with who published them, and their installations", async () => {
  const { publisher } = await givenInstalledApp(platform);
  const { ask } = await givenClient(publisher, "vin-lookup");
  const { versions: listed, next } = appVersions.parse((await ask("/versions")).body);
  expect(next).toBeUndefined();
  expect(listed).toMatchObject([{ version: "1.4.0", installations: 1, review: null }]);
  expect(await ask("/versions?before=x")).toMatchObject({
    status: 400,
    body: { code: "BAD_INPUT", issues: [{ pointer: "/before" }] },
  });
});

// Guarantee: customers' calls are theirs. A publisher's key lists only calls to installations of its own organization.
test("calls of customers are not listed", async () => {
  const world = await givenCallWorld(platform, "acme");
  const id = await world.call("autofill", { given: world.launch });
  const customer = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, customer, "harbor.core.example");
  const version = one(await platform.db.select().from(versions));
  const given = await givenInstallation(platform, customer, version, tenant.id);
  const theirs = await world.call("autofill", { given, organizationId: customer.organization.id });
  const { ask } = await givenClient(world.customer, "vin-lookup");
  const { calls } = callPage.parse((await ask("/calls")).body);
  expect(calls.map((call) => call.id)).toEqual([id]);
  expect(await ask(`/calls/${id}`)).toMatchObject({ status: 200, body: { id } });
  expect(await ask(`/calls/${theirs}`)).toMatchObject({ status: 404 });
});

test("a parameter that is unknown is refused, not ignored", async () => {
  const world = await givenCallWorld(platform, "acme");
  const { ask } = await givenClient(world.customer, "vin-lookup");
  for (const query of ["/calls?stat=failed", "/calls?state=broken", "/log?level=loud"])
    expect(await ask(query), query).toMatchObject({ status: 400, body: { code: "BAD_INPUT" } });
  expect(await ask("/replays", { filter: { evnt: "policy" } })).toMatchObject({ status: 400 });
});

// Guarantee: a key acts as a publisher does, who may only operate Test Launches.
test("a key replays deliveries to Test Launches, and none to production", async () => {
  const world = await givenCallWorld(platform, "acme");
  const launched = await world.delivery("DEAD", { given: world.launch });
  const production = await world.delivery("DEAD");
  const { ask } = await givenClient(world.customer, "vin-lookup");
  expect(await ask("/replays", { deliveryIds: [production.id] })).toMatchObject({ status: 403 });
  expect((await ask("/replays", { filter: {} })).body).toEqual({ replayed: 1, skipped: 0, more: false });
  const states = await platform.db.select({ id: deliveries.id, state: deliveries.state }).from(deliveries);
  expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [launched.id, "PENDING"],
      [production.id, "DEAD"],
    ]),
  );
});

// Guarantee: a stream that breaks goes on where it was: nothing is lost, nothing is repeated.
test("the log is followed from a page on, and from the last event after a break", async () => {
  const { publisher, store } = await givenLogWorld(platform);
  const { ask, follow } = await givenClient(publisher, "vin-lookup");
  await store([{ text: "before" }]);
  const page = appLogPage.parse((await ask("/log")).body);
  expect(page).toMatchObject({ version: "1.4.0", entries: [{ text: "before" }] });
  const read = async (count: number, after: string | undefined) => {
    const texts: string[] = [];
    let last = after;
    for await (const { event, id, data } of follow(`/log/stream?version=1.4.0`, after)) {
      if (event === "changes")
        texts.push(
          ...appLogPage
            .pick({ entries: true })
            .parse(data)
            .entries.map((entry) => ("text" in entry ? entry.text : entry.event)),
        );
      last = id;
      if (texts.length >= count) break;
    }
    return { texts, last };
  };
  const first = read(2, page.position);
  await store([{ text: "one" }, { text: "two" }]);
  const { texts, last } = await first;
  expect(texts).toEqual(["one", "two"]);
  await store([{ text: "three" }]);
  expect((await read(1, last)).texts).toEqual(["three"]);
});

// Guarantee: a stream doesn't outlive the key that opened it.
test("a stream ends when its key is revoked", async () => {
  const { publisher } = await givenLogWorld(platform);
  const { follow, apiKeyId } = await givenClient(publisher, "vin-lookup");
  const events: string[] = [];
  for await (const { event } of follow("/log/stream")) {
    if (events.length === 0) await revokeApiKey(platform, publisher, apiKeyId);
    events.push(event);
  }
  expect(events.at(-1)).toBe("end");
});
