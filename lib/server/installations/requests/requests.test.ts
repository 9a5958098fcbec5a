import { beforeEach, describe, expect, test } from "vitest";
import type { Member } from "@/lib/domain/platform/actor";
import {
  givenInstallation,
  givenMember,
  givenOfferedApp,
  givenTenant,
  SAMPLE_ANSWERS,
  SAMPLE_APP,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { changeVisibility } from "../../catalog/visibility";
import { suspendListing } from "../../moderation/suspend-listing";
import { launchInstallation } from "../launch-installation";
import { readLaunch } from "../read-launch";
import { requestCheck } from "../request-check";
import { decideRequest, endOutdatedRequests, withdrawRequest } from "./decide-request";
import { allowApp, changeLaunchRules, disallowApp, listAllowedApps } from "./launch-rules";
import { listRequests } from "./list-requests";
import { requestLaunch } from "./request-launch";

const platform = await testPlatform();

let given: Awaited<ReturnType<typeof givenOfferedApp>>;
let owner: Member;
let operator: Member;
let target: { versionId: string; tenantId: string };
beforeEach(async () => {
  given = await givenOfferedApp(platform);
  owner = given.customer;
  operator = await givenMember(platform, "harbor", "operator");
  target = { versionId: given.version.id, tenantId: given.tenant.id };
  await changeLaunchRules(platform, owner, { membersAsk: true });
});

const ask = async (member = operator, note = "For renewals.") =>
  (await requestLaunch(platform, member, { ...target, note })).requestId;
const approve = (id: string, note = "") => decideRequest(platform, owner, id, { decision: "approve", note });
const decline = (id: string, note = "Not now.") =>
  decideRequest(platform, owner, id, { decision: "decline", note });
const launch = (member = operator, tenantId = given.tenant.id) =>
  launchInstallation(platform, member, { ...target, tenantId, test: false, ...SAMPLE_ANSWERS });
const states = async (member = owner) => {
  const [open, ended] = [
    await listRequests(platform, member, {}),
    await listRequests(platform, member, { state: "ended" }),
  ];
  return [...open.requests, ...ended.requests].map(({ state, answer }) => [state, answer]);
};
const told = async (member: Member) => {
  const { rows } = await platform.pool.query<{ title: string; body: string; href: string }>(
    "select title, body, href from notifications where user_id = $1 and kind = 'launch-request'",
    [member.userId],
  );
  return rows;
};
const HREF = "/installations/requests";

// Guarantee: an approval lets one member launch one app for one tenant once, and whoever takes part learns of it.
test("a member asks, an owner approves, and the member launches once", async () => {
  await expect(launch()).rejects.toMatchObject({
    code: "NOT_ALLOWED",
    detail: expect.stringContaining("ask an owner"),
  });
  const id = await ask();
  expect(await told(owner)).toEqual([
    {
      title: "operator of harbor asks to launch VIN lookup for Production",
      body: "For renewals.",
      href: HREF,
    },
  ]);
  expect(await told(operator)).toEqual([]);
  await approve(id, "Use the European region.");
  expect(await told(operator)).toEqual([
    {
      title: "Your request to launch VIN lookup for Production was approved",
      body: "Use the European region.",
      href: HREF,
    },
  ]);
  const colleague = await givenMember(platform, "harbor", "operator");
  const { tenant: second } = await givenTenant(platform, owner, "second.example", "Second");
  await expect(launch(colleague)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await expect(launch(operator, second.id)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  // Only the approved tenant is offered.
  const offer = await readLaunch(platform, operator, SAMPLE_APP, { test: false });
  expect(offer.tenants.map(({ id: each }) => each)).toEqual([given.tenant.id]);
  expect((await readLaunch(platform, operator, SAMPLE_APP, { test: false, ask: true })).tenants).toHaveLength(
    2,
  );
  await launch();
  await platform.pool.query("update installations set state = 'UNINSTALLED'");
  await expect(launch()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  const { rows } = await platform.pool.query<{ action: string }>(
    "select action from audit where action like 'launch-request.%' order by position",
  );
  expect(rows.map(({ action }) => action)).toEqual(["launch-request.create", "launch-request.approve"]);
});

test("a launch that fails keeps the approval, and two launches at once use it once", async () => {
  await approve(await ask());
  const incomplete = { ...target, test: false, settings: {}, mappings: {} };
  await expect(launchInstallation(platform, operator, incomplete)).rejects.toMatchObject({
    code: "BAD_INPUT",
  });
  const both = await Promise.allSettled([launch(), launch()]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

// Guarantee: no app sees a tenant before an owner approved it, not even to check settings.
test("settings are checked with an approval only, which the check doesn't use up", async () => {
  const check = () =>
    requestCheck(platform, operator, {
      for: "launch",
      ...target,
      test: false,
      ...SAMPLE_ANSWERS,
      mappings: {},
    });
  const manifest = { ...SAMPLE_MANIFEST, core: { ...SAMPLE_MANIFEST.core, configurationCheck: true } };
  await platform.pool.query("update versions set manifest = $1", [JSON.stringify(manifest)]);
  await expect(check()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await approve(await ask());
  await check();
  await check();
  await launch();
});

test("an approval ends after 30 days", async () => {
  await approve(await ask());
  await platform.pool.query("update launch_requests set valid_until = now() - interval '1 second'");
  await expect(launch()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await ask();
});

// Guarantee: nobody is asked twice for the same.
test("asking again is the same request, also at the same time", async () => {
  const ids = await Promise.all([ask(), ask(), ask()]);
  expect(new Set([...ids, await ask()]).size).toBe(1);
  expect(await told(owner)).toHaveLength(1);
  await approve(ids[0] ?? "");
  await expect(ask()).rejects.toMatchObject({ code: "WRONG_STATE" });
});

test("a declined request has the owner's note, and the member can ask again", async () => {
  const id = await ask();
  await decline(id, "We use another app.");
  expect(await told(operator)).toMatchObject([{ body: "We use another app." }]);
  await expect(launch()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  expect(await ask()).not.toBe(id);
  expect(await states()).toEqual([
    ["OPEN", ""],
    ["DECLINED", "We use another app."],
  ]);
});

// Guarantee: the second of two decisions says what the first one was.
test("a request is decided once", async () => {
  const id = await ask();
  const another = await givenMember(platform, "harbor");
  const both = await Promise.allSettled([
    approve(id),
    decideRequest(platform, another, id, { decision: "decline", note: "No." }),
  ]);
  const [lost] = both.filter((one) => one.status === "rejected");
  expect(lost).toMatchObject({ reason: { code: "WRONG_STATE", detail: expect.stringContaining("already") } });
  for (const again of [approve, decline, (one: string) => withdrawRequest(platform, operator, one)])
    await expect(again(id)).rejects.toMatchObject({ code: "WRONG_STATE" });
});

test("only the member who asked withdraws a request", async () => {
  const id = await ask();
  const stranger = await givenMember(platform, "alpine");
  for (const member of [owner, stranger])
    await expect(withdrawRequest(platform, member, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(
    decideRequest(platform, stranger, id, { decision: "approve", note: "" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  await withdrawRequest(platform, operator, id);
  expect(await states()).toEqual([["WITHDRAWN", ""]]);
  await expect(approve(id)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringContaining("withdrawn"),
  });
});

test("owners need no request, nor does somebody who became one", async () => {
  await expect(ask(owner)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await ask();
  const promoted = { ...operator, organization: { ...operator.organization, role: "owner" as const } };
  expect((await readLaunch(platform, promoted, SAMPLE_APP, { test: false })).asking?.permission).toBe(
    "launch",
  );
  await launch(promoted);
});

test("publishers can't ask for what they can't launch", async () => {
  const member = await givenMember(platform, "harbor", "publisher");
  await expect(ask(member)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
});

const gone = (sql: string) => () => platform.pool.query(sql).then(() => undefined);

// Guarantee: a request for what can't be launched anymore ends with the reason, whoever looks first.
describe.each<[string, () => Promise<void>, string]>([
  [
    "suspended",
    async () => {
      const moderator: Member = { ...(await givenMember(platform, "platform-team")), moderator: true };
      await suspendListing(platform, moderator, given.listing.id, {
        reason: "Broken.",
        stopInstallations: false,
      });
    },
    "The app was suspended.",
  ],
  ["retired", gone("update listings set state = 'RETIRED'"), "The app was retired."],
  ["recalled", gone("update versions set verified_at = null"), "The app has no verified version anymore."],
  [
    "hidden",
    () =>
      changeVisibility(platform, given.publisher, given.listing.id, {
        visibility: "NAMED",
        organizations: [],
      }),
    "The app is not offered to your organization anymore.",
  ],
  ["without a tenant", gone("update tenants set disconnected_at = now()"), "The tenant was disconnected."],
  [
    "installed",
    async () => {
      await givenInstallation(platform, owner, given.version, given.tenant.id);
    },
    "The app was installed for the tenant in the meantime.",
  ],
])("an open request for an app that was meanwhile %s", (_what, change, reason) => {
  test("ends when a worker looks", async () => {
    await ask();
    expect(await endOutdatedRequests(platform)).toBe(0);
    await change();
    expect(await states()).toEqual([["OUTDATED", reason]]);
    expect(await endOutdatedRequests(platform)).toBe(1);
    expect(await endOutdatedRequests(platform)).toBe(0);
    expect(await states()).toEqual([["OUTDATED", reason]]);
    expect(await told(operator)).toMatchObject([{ body: reason }]);
  });

  test("ends when an owner approves it", async () => {
    const id = await ask();
    await change();
    await expect(approve(id)).rejects.toMatchObject({
      code: "WRONG_STATE",
      detail: expect.stringContaining(reason),
    });
    expect(await states()).toEqual([["OUTDATED", reason]]);
  });
});

test("a request ends with the membership of who asked", async () => {
  await ask();
  await platform.pool.query("delete from memberships where user_id = $1", [operator.userId]);
  expect(await endOutdatedRequests(platform)).toBe(1);
});

// Guarantee: what is approved follows the rules of every launch.
test("an approval doesn't launch what was suspended after it, and a renamed app is the same app", async () => {
  await approve(await ask());
  await platform.pool.query("update listings set state = 'SUSPENDED'");
  await expect(launch()).rejects.toMatchObject({ code: "NOT_FOUND" });
  await platform.pool.query("update listings set state = 'PUBLIC', title = 'VIN finder'");
  expect((await listRequests(platform, owner, { state: "ended" })).requests).toMatchObject([
    { title: "VIN finder", state: "APPROVED" },
  ]);
  await launch();
});

// Guarantee: members see their own requests, owners all of their organization, and no list is endless.
test("the list is searched and paged", async () => {
  const { rows } = await platform.pool.query<{ id: string }>(
    `insert into tenants (id, organization_id, name, host_name, core_api_url)
     select gen_random_uuid(), $1, 'Tenant ' || n, n || '.example', 'http://127.0.0.1:9' from generate_series(1, 35) n returning id`,
    [owner.organization.id],
  );
  for (const { id } of rows)
    await requestLaunch(platform, operator, { versionId: given.version.id, tenantId: id, note: "-" });
  const colleague = await givenMember(platform, "harbor", "operator");
  const stranger = await givenMember(platform, "alpine");
  const first = await listRequests(platform, owner, {});
  expect([first.requests.length, first.counts.open]).toEqual([30, 35]);
  const second = await listRequests(platform, owner, { after: first.pages.next });
  expect(second.requests).toHaveLength(5);
  const back = await listRequests(platform, owner, { after: second.pages.previous });
  expect(back.requests.map(({ id }) => id)).toEqual(first.requests.map(({ id }) => id));
  expect(await listRequests(platform, owner, { q: "tenant 17", state: "ended" })).toMatchObject({
    requests: [],
    counts: { open: 1, ended: 0 },
  });
  expect((await listRequests(platform, owner, { q: "tenant 17" })).requests).toHaveLength(1);
  expect((await listRequests(platform, owner, { after: "x", state: "y", q: "\0" })).requests).toHaveLength(
    30,
  );
  expect((await listRequests(platform, operator, {})).counts.open).toBe(35);
  for (const member of [colleague, stranger])
    expect((await listRequests(platform, member, {})).counts.open).toBe(0);
});

describe("an organization that allows only some apps", () => {
  beforeEach(() => changeLaunchRules(platform, owner, { membersAsk: false, onlyAllowedApps: true }));

  // Guarantee: nobody launches what is not allowed, and the refusal says how to get it.
  test("launches no other, and keeps what is installed", async () => {
    await expect(launch(owner)).rejects.toMatchObject({
      code: "NOT_ALLOWED",
      detail: expect.stringContaining("Allow it on its page"),
    });
    await expect(launch()).rejects.toMatchObject({
      code: "NOT_ALLOWED",
      detail: expect.stringContaining("ask for it"),
    });
    await allowApp(platform, owner, given.listing.id, {});
    await allowApp(platform, owner, given.listing.id, {});
    await launch();
    await disallowApp(platform, owner, given.listing.id);
    await expect(disallowApp(platform, owner, given.listing.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { rows } = await platform.pool.query<{ action: string }>(
      "select action from audit where action like 'allowed-app.%' order by position",
    );
    expect(rows.map(({ action }) => action)).toEqual(["allowed-app.add", "allowed-app.remove"]);
    const { rows: left } = await platform.pool.query("select state from installations");
    expect(left).toEqual([{ state: "LAUNCHING" }]);
  });

  test("gets a request that asks for allowing the app, too", async () => {
    await approve(await ask());
    const { apps, total } = await listAllowedApps(platform, operator, {});
    expect([apps.map(({ title }) => title), total]).toEqual([["VIN lookup"], 1]);
    await launch();
  });

  // Guarantee: an app that an owner removed again is not launched with an approval from before.
  test("does not launch what was removed after the approval", async () => {
    await changeLaunchRules(platform, owner, { membersAsk: true });
    await approve(await ask());
    await disallowApp(platform, owner, given.listing.id);
    await expect(launch()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect((await readLaunch(platform, operator, SAMPLE_APP, { test: false })).asking).toMatchObject({
      permission: "ask",
      isApproved: false,
    });
  });

  test("can't allow what its owner doesn't see", async () => {
    await changeVisibility(platform, given.publisher, given.listing.id, {
      visibility: "NAMED",
      organizations: [],
    });
    await expect(allowApp(platform, owner, given.listing.id, {})).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await listAllowedApps(platform, owner, { q: "x", after: "y" })).toMatchObject({
      apps: [],
      total: 0,
    });
  });
});

test("saving the same rules again changes nothing", async () => {
  await changeLaunchRules(platform, owner, { membersAsk: true });
  const { rows } = await platform.pool.query("select action from audit");
  expect(rows).toEqual([{ action: "organization.change-launch-rules" }]);
});
