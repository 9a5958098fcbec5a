import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type Cluster, ClusterError, ClusterUnreachable, connectCluster, explainErrors } from "./client";
import { readTail, splitPieces } from "./logs";
import { parseQuantity } from "./usage";
import { type PodWatch, watchPods } from "./watch";

type Answer = (request: IncomingMessage & { url: string }, response: ServerResponse) => unknown;

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** A made-up API server, and a client with a token for it. */
async function givenCluster(answer: Answer): Promise<Cluster> {
  const server = createServer((request, response) => {
    void answer(Object.assign(request, { url: request.url ?? "" }), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const folder = await mkdtemp(path.join(tmpdir(), "platform-cluster-"));
  const file = path.join(folder, "config");
  await writeFile(path.join(folder, "token"), "secret-token\n");
  await writeFile(
    file,
    `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "http://127.0.0.1:${port}/prefix/"}}]
users: [{name: u, user: {tokenFile: token}}]`,
  );
  const cluster = connectCluster({
    KUBECONFIG: file,
    KUBERNETES_SERVICE_HOST: "",
    KUBERNETES_SERVICE_PORT: "",
  });
  ended.push(async () => {
    await cluster.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  return cluster;
}

function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

test("a request goes to the kubeconfig's server, with the token of its file", async () => {
  const seen: unknown[] = [];
  const cluster = await givenCluster((request, response) => {
    seen.push(request.method, request.url, request.headers.authorization);
    json(response, { fine: true });
  });
  expect(await cluster.send({ path: "/api/v1/pods", query: { limit: "1" } })).toEqual({ fine: true });
  expect(seen).toEqual(["GET", "/prefix/api/v1/pods?limit=1", "Bearer secret-token"]);
});

// Guarantee: a server that has too much to do is asked again when it says so, and one that hangs delays nothing for longer.
test("a throttled request is repeated, and a hanging one ends at its deadline", async () => {
  let requests = 0;
  const cluster = await givenCluster((request, response) => {
    requests += 1;
    if (request.url.includes("hanging")) return undefined;
    return requests === 1 ? json(response, {}, 429, { "retry-after": "0" }) : json(response, { requests });
  });
  expect(await cluster.send({ path: "/throttled" })).toEqual({ requests: 2 });
  const startedAt = performance.now();
  await expect(cluster.send({ path: "/hanging" }, 300)).rejects.toThrow(ClusterUnreachable);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

// Guarantee: whatever the cluster refuses has a reason that names what the operator must change, and never the app.
test.each([
  [403, 'pods "app" is forbidden: exceeded quota: small, requested: pods=1', "CLUSTER_QUOTA"],
  [403, 'pods is forbidden: User "worker" cannot create resource "pods"', "CLUSTER_FAILED"],
  [403, 'pods "app" is forbidden: violates PodSecurity "restricted:latest"', "CLUSTER_FAILED"],
  [401, "Unauthorized", "CLUSTER_FAILED"],
  [500, "etcdserver: request timed out", "CLUSTER_FAILED"],
])("the answer %i (%s) is %s", async (status, message, reasonCode) => {
  const cluster = await givenCluster((_, response) =>
    json(response, { reason: "Forbidden", message }, status),
  );
  await expect(cluster.send({ path: "/" })).rejects.toThrow(ClusterError);
  await expect(explainErrors(cluster.send({ path: "/" }))).rejects.toMatchObject({
    reasonCode,
    detail: expect.stringContaining(message),
  });
});

test("a worker without credentials says what is missing", async () => {
  const cluster = connectCluster({
    KUBECONFIG: "",
    KUBERNETES_SERVICE_HOST: "",
    KUBERNETES_SERVICE_PORT: "",
  });
  await expect(explainErrors(cluster.send({ path: "/" }, 500))).rejects.toMatchObject({
    reasonCode: "CLUSTER_UNREACHABLE",
    detail: expect.stringContaining("set KUBECONFIG"),
  });
});

const pod = (name: string, resourceVersion: string) => ({
  metadata: { name, uid: `uid-${name}`, resourceVersion },
  status: {},
});

/** Answers lists and watches in turn, as the test says. */
async function givenWatch(
  lists: unknown[][],
  watches: (number | ((send: (event: unknown) => void, response: ServerResponse) => void))[],
  {
    staleMs,
    retryAfter = "",
    pausesMs = [0, 10],
  }: { staleMs?: number; retryAfter?: string; pausesMs?: number[] } = {},
) {
  const asked: string[] = [];
  const cluster = await givenCluster((request, response) => {
    const query = new URL(request.url, "http://any").searchParams;
    if (query.get("watch") === null) {
      asked.push("list");
      const items = lists.shift();
      return items === undefined
        ? request.socket.destroy()
        : json(response, { metadata: { resourceVersion: "10" }, items });
    }
    asked.push(`watch ${query.get("resourceVersion")}`);
    const next = watches.shift();
    if (typeof next === "number")
      return json(response, { message: "no" }, next, retryAfter === "" ? {} : { "retry-after": retryAfter });
    response.writeHead(200).flushHeaders();
    return next?.((event) => response.write(`${JSON.stringify(event)}\n`), response);
  });
  const warnings: unknown[] = [];
  const log = {
    error: () => undefined,
    info: () => undefined,
    warn: (facts: object) => void warnings.push(facts),
  };
  const watch: PodWatch = watchPods(cluster, {
    namespace: "apps",
    log,
    labelSelector: async () => "platform.instance-of=me",
    pausesMs,
    ...(staleMs !== undefined && { staleMs }),
  });
  ended.unshift(() => watch.end());
  const changes: string[] = [];
  watch.onChange(({ metadata }, isGone) => changes.push(`${metadata.name}${isGone ? " gone" : ""}`));
  return { watch, asked, changes, warnings };
}

// Guarantee: no change is missed or told twice, whatever happens to the connection.
test("a watch that is cut goes on where it was, and lists again when the server forgot that place", async () => {
  const { watch, asked, changes } = await givenWatch(
    [
      [pod("a", "1"), pod("b", "2")],
      [pod("a", "1"), pod("c", "30")],
    ],
    [
      (send, response) => {
        send({ type: "MODIFIED", object: pod("b", "11") });
        send({ type: "BOOKMARK", object: { metadata: { resourceVersion: "12" } } });
        setTimeout(() => response.destroy(), 50);
      },
      (send) => send({ type: "ERROR", object: { code: 410, message: "too old" } }),
      (send) => send({ type: "DELETED", object: pod("c", "31") }),
    ],
  );
  await watch.connected;
  await expect.poll(() => changes).toEqual(["a", "b", "b", "b gone", "c", "c gone"]);
  expect(asked).toEqual(["list", "watch 10", "watch 12", "list", "watch 10"]);
  expect((await watch.list()).map(({ metadata }) => metadata.name)).toEqual(["a"]);
  expect(await watch.find("uid-c")).toBeUndefined();
});

// Guarantee: a server with too much to do gets fewer requests, not full lists again and again.
test("a watch that is throttled waits as it is told, and goes on where it was", async () => {
  const startedAt = performance.now();
  const { watch, asked, changes, warnings } = await givenWatch(
    [[pod("a", "1")]],
    [429, 503, (send) => send({ type: "MODIFIED", object: pod("a", "11") })],
    { retryAfter: "1", pausesMs: [0, 10, 10, 10] },
  );
  await watch.connected;
  await expect.poll(() => changes).toEqual(["a", "a"]);
  expect(asked).toEqual(["list", "watch 10", "watch 10", "watch 10"]);
  expect(performance.now() - startedAt).toBeGreaterThan(2_000);
  expect(warnings).toHaveLength(1);
});

// Guarantee: an account that may list, but not watch, is told of, and doesn't list without a pause.
test("a watch that is refused is logged, and its pauses grow", async () => {
  const refusals = Array.from({ length: 50 }, () => 403);
  const lists = Array.from({ length: 50 }, () => [pod("a", "1")]);
  const { watch, asked, warnings } = await givenWatch(lists, refusals, { pausesMs: [0, 10, 20, 10_000] });
  await watch.connected;
  await expect.poll(() => asked.length).toBe(6);
  await sleep(300);
  expect(asked).toEqual(["list", "watch 10", "list", "watch 10", "list", "watch 10"]);
  expect(warnings).toEqual([expect.objectContaining({ err: expect.objectContaining({ status: 403 }) })]);
});

// Guarantee: what runs is not guessed from what was known long ago.
test("a watch that learns nothing for too long says that the cluster is unreachable", async () => {
  const { watch } = await givenWatch(
    [[pod("a", "1")]],
    [(_, response) => setTimeout(() => response.destroy(), 20)],
    { staleMs: 200 },
  );
  expect(await watch.find("uid-a")).toBeDefined();
  await sleep(50);
  await expect
    .poll(
      () =>
        explainErrors(watch.find("uid-a")).then(
          () => "known",
          ({ reasonCode }) => reasonCode,
        ),
      { timeout: 5_000 },
    )
    .toBe("CLUSTER_UNREACHABLE");
});

test("whoever waits for a Pod learns of it with the change, or that it did not come", async () => {
  let tell: (event: unknown) => void = () => undefined;
  const { watch } = await givenWatch([[]], [(send) => (tell = send)]);
  await watch.connected;
  const found = watch.until(() => watch.peek("uid-a")?.metadata.name, 5_000);
  await expect
    .poll(() => (tell({ type: "ADDED", object: pod("a", "11") }), watch.peek("uid-a")))
    .toBeDefined();
  expect(await found).toBe("a");
  expect(await watch.until(() => watch.peek("uid-b"), 20)).toBeUndefined();
});

const LOG = [
  "2026-11-28T05:00:00.100000000Z one\n",
  "2026-11-28T05:00:00.900000000Z two\n",
  "2026-11-28T05:00:01.500000000Z three\n",
].join("");

// Guarantee: the API's whole seconds do not bring lines of other moments into a call's log.
test("the log between two moments is cut to both", async () => {
  const asked: string[] = [];
  const cluster = await givenCluster((request, response) => {
    asked.push(new URL(request.url, "http://any").searchParams.get("sinceTime") ?? "");
    response.end(LOG);
  });
  const place = { namespace: "apps", pod: "a" };
  const signal = AbortSignal.timeout(5_000);
  const since = new Date("2026-11-28T05:00:00.500Z");
  const until = new Date("2026-11-28T05:00:01.000Z");
  expect(await readTail(cluster, place, 100, { since, until, signal })).toBe("two\n");
  expect(await readTail(cluster, place, 5, { signal })).toBe("hree\n");
  expect(asked).toEqual(["2026-11-28T05:00:00.000Z", ""]);
});

test("a line that comes in parts, or never ends, keeps its time", async () => {
  const long = "x".repeat(70_000);
  async function* chunks() {
    yield Buffer.from("2026-11-28T05:00:00.1");
    yield Buffer.from(`00000000Z a\n2026-11-28T05:00:01.000000000Z ${long}`);
    yield Buffer.from("end\n");
  }
  const pieces = [];
  for await (const { at, bytes } of splitPieces(chunks()))
    pieces.push([Number(at / 1_000_000n) % 10_000, bytes.length]);
  expect(pieces).toEqual([
    [100, 2],
    [1_000, 70_000],
    [1_000, 4],
  ]);
});

test.each([
  ["12345678n", 0.012345678],
  ["15m", 0.015],
  ["2", 2],
  ["104Mi", 104 * 1024 * 1024],
  ["5k", 5_000],
])("the quantity %s is %d", (text, value) => {
  expect(parseQuantity(text)).toBeCloseTo(value, 9);
});
