import { describe, expect, test } from "vitest";
import { CHECK_NAMES } from "@/lib/contract/moderation/check-names";
import {
  type CallSeen,
  judgeCustomers,
  judgeHooks,
  judgeMemory,
  judgeRestart,
  judgeRoutes,
  judgeSecrets,
  judgeStart,
  judgeState,
} from "./judge-running";
import { inventSetting, planCalls } from "./plan-evidence";
import { judgeImage, listChecks, pass, skipRest } from "./verdict";

const READY = { ready: true, ms: 800, answered: true };
const LIMITS = { readyWithinMs: 60_000 };

function call(changes: Partial<CallSeen> = {}): CallSeen {
  return {
    customer: 0,
    round: 1,
    kind: "autofill",
    what: "POST /fill",
    status: 200,
    failure: null,
    fault: null,
    answer: "{}",
    durationMs: 12,
    reads: 1,
    ...changes,
  };
}
const refused = (status: number, changes: Partial<CallSeen> = {}) =>
  call({ status, fault: "app-response-status", failure: `It returned ${status}.`, ...changes });

describe("the start", () => {
  // Guarantee: each way of not starting fails one check, so that a publisher fixes what is wrong.
  test.each([
    ["an exit", { exit: "exited with code 7", answered: false }, ["SKIPPED", "FAIL"]],
    [
      "a health check that answers 503",
      { answered: true, problem: "GET /health returned 503." },
      ["PASS", "FAIL"],
    ],
    [
      "another port",
      {
        answered: false,
        listening: { port: 8080, listeners: [{ port: 3000, loopback: false, family: 4 as const }] },
      },
      ["FAIL", "SKIPPED"],
    ],
    ["no connection, where a runtime can't tell why", { answered: false }, ["FAIL", "SKIPPED"]],
    [
      "the right port without an answer",
      {
        answered: false,
        listening: { port: 8080, listeners: [{ port: 8080, loopback: false, family: 4 as const }] },
      },
      ["PASS", "FAIL"],
    ],
  ])("%s", (_what, seen, expected) => {
    const { port, health, ...rest } = judgeStart({ ready: false, ms: 60_000, ...seen }, LIMITS);
    expect([port.result, health.result, rest["start-time"].result]).toEqual([...expected, "SKIPPED"]);
  });

  test("where nobody can look, an app without a connection may still be starting", () => {
    const { port } = judgeStart({ ready: false, ms: 60_000, answered: false }, LIMITS);
    expect(port).toMatchObject({ detail: expect.stringMatching(/may still be starting, or listen on/) });
  });

  test("a slow start is a warning", () => {
    expect(judgeStart(READY, LIMITS)["start-time"].result).toBe("PASS");
    expect(judgeStart({ ...READY, ms: 10_001 }, LIMITS)["start-time"].result).toBe("WARN");
  });

  test("a restart fails if it is not healthy or answers differently, and warns if it had to be killed", () => {
    const seen = { start: READY, killed: false, graceSeconds: 10, failures: [] };
    expect(judgeRestart(seen).result).toBe("PASS");
    expect(judgeRestart({ ...seen, killed: true }).result).toBe("WARN");
    expect(judgeRestart({ ...seen, failures: ["POST /fill: It returned 500."] }).result).toBe("FAIL");
    expect(judgeRestart({ ...seen, start: { ...READY, ready: false } }).result).toBe("FAIL");
  });

  test("memory warns at three quarters of the limit", () => {
    expect([300, 400, undefined].map((used) => judgeMemory(used, 512).result)).toEqual([
      "PASS",
      "WARN",
      "SKIPPED",
    ]);
  });
});

describe("calls", () => {
  // Guarantee: an app that refuses made-up credentials is not called broken.
  test.each([
    ["an answer", call(), "PASS"],
    ["500 to a made-up setting", refused(500), "WARN"],
    ["404", refused(404), "FAIL"],
    [
      "no answer",
      call({ status: null, answer: null, fault: "app-timed-out", failure: "It didn't." }),
      "FAIL",
    ],
    ["an endpoint that wants parameters", refused(404, { kind: "endpoint" }), "WARN"],
  ] as const)("%s", (_what, seen, result) => {
    expect(judgeRoutes([seen], []).result).toBe(result);
    expect(judgeHooks([{ ...seen, kind: "lifecycle" }]).result).toBe(
      seen.kind === "endpoint" ? "FAIL" : result,
    );
  });

  test("what was not called is named, and nothing to call is no pass", () => {
    expect(judgeRoutes([call()], ["POST /late"])).toMatchObject({
      result: "WARN",
      detail: expect.stringContaining("POST /late"),
    });
    expect([judgeRoutes([], []).result, judgeHooks([]).result]).toEqual(["SKIPPED", "SKIPPED"]);
  });

  test("an app that reads no state is warned about if its manifest asks for anything", () => {
    const unread = [call({ reads: 0 })];
    expect(
      [judgeState([call()], true), judgeState(unread, true), judgeState(unread, false)].map((v) => v.result),
    ).toEqual(["PASS", "WARN", "PASS"]);
  });

  test("samples are bounded, and each pattern of a route is sent", () => {
    const core = {
      webhooks: Array.from({ length: 30 }, (_, index) => ({ path: `/e${index}`, events: ["policy.issued"] })),
      endpoints: [
        { path: "/callbacks/*", methods: ["DELETE" as const], access: "core" as const, title: "x" },
      ],
    };
    const { calls, skipped } = planCalls({ core });
    expect(calls).toHaveLength(24);
    expect(skipped).toHaveLength(7);
    expect(skipped).toContain("DELETE /callbacks/*");
  });
});

describe("two customers", () => {
  const markers = [["c1xaa"], ["c2xbb"]];
  const judge = (calls: CallSeen[], staleReads = false) => judgeCustomers({ calls, markers, staleReads });

  // Guarantee: an app that answers one customer with anything of another never passes.
  test.each([
    ["the other's text", [call({ answer: '{"office":"C2XBB"}' })], false, "FAIL"],
    ["its own text", [call({ answer: '{"office":"c1xaa"}' })], false, "PASS"],
    ["the other's key", [call(), call({ customer: 1, round: 2, reads: 0 })], true, "FAIL"],
    ["no read for the second", [call(), call({ customer: 1, round: 2, reads: 0 })], false, "WARN"],
    ["a late read of its own beside it", [call(), call({ customer: 1, round: 2 })], true, "PASS"],
    ["no calls", [], false, "SKIPPED"],
  ] as const)("%s", (_what, calls, stale, result) => {
    expect(judge([...calls], stale).result).toBe(result);
  });

  test("a secret in a log or an answer fails, and nothing searched is no pass", () => {
    const searched = { answers: 3, log: true };
    expect(judgeSecrets([], searched).result).toBe("PASS");
    expect(judgeSecrets([{ what: "a token", where: "its log" }], searched)).toMatchObject({ result: "FAIL" });
    expect(judgeSecrets([], { answers: 0, log: false }).result).toBe("SKIPPED");
  });

  test("their answers differ, fit the form that names suggest, and mark secrets", () => {
    const invent = (setting: Parameters<typeof inventSetting>[0], customer = 0) =>
      inventSetting(setting, customer, { marker: `c${customer + 1}xaa`, secret: "ff" });
    const select = {
      name: "region",
      title: "Region",
      type: "Select" as const,
      values: [
        { text: "Europe", value: "eu" },
        { text: "America", value: "us" },
      ],
    };
    expect([invent(select, 0).value, invent(select, 1).value]).toEqual(["eu", "us"]);
    expect(invent({ name: "apiKey", title: "Key", type: "Password" })).toMatchObject({ secret: true });
    expect(invent({ name: "replyTo", title: "Email", type: "Text" }).value).toBe("c1xaa@sample.example");
    expect(invent({ name: "baseUrl", title: "Service", type: "Text" }).value).toBe(
      "https://c1xaa.sample.example",
    );
  });
});

test("root and volumes are warnings, and an example has no image to judge", () => {
  const image = { architecture: "amd64", user: "65532", exposedPorts: [], volumes: [] };
  const settings = (changes: object) => judgeImage({ ...image, ...changes })["image-settings"].result;
  expect([settings({}), settings({ user: "0:0" }), settings({ volumes: ["/data"] })]).toEqual([
    "PASS",
    "WARN",
    "WARN",
  ]);
  expect(judgeImage(null).architecture.result).toBe("SKIPPED");
});

test("checks are listed in one order, and those without a verdict are skipped with the reason", () => {
  const verdicts = skipRest({ memory: { ...pass("It uses 1 MiB."), ms: 1 } }, "No engine responds.");
  expect(listChecks(verdicts).map(({ name }) => name)).toEqual(CHECK_NAMES);
  expect(listChecks(verdicts).filter(({ result }) => result === "SKIPPED")).toHaveLength(11);
});
