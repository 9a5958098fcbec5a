/** The configuration files of `deploy/`, which people copy. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCertificate } from "./egress/certificate";
import { REQUEST_TIMEOUT_MS } from "@/gateway/serve";
import { IMAGE_MEBIBYTES } from "@/lib/contract/catalog/listing-terms";
import { DRAFT_BODY_BYTES } from "@/lib/contract/catalog/manifest-draft";
import { KEEP_ALIVE_MS } from "@/lib/server/platform/requests/drain-servers";
import { PAGE_POLICY, ROUTE_POLICY } from "@/lib/domain/accounts/policy";

const root = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const nginx = read("deploy/nginx.conf").replace(/^\s*#.*$/gm, "");
const allServers = nginx.split(/^server \{/m).slice(1);
const servers = allServers.filter((server) => server.includes("proxy_pass"));
const [pages = "", gateway = ""] = servers;
/** The value of a directive: of sizes in bytes, of times in milliseconds. */
function directive(server: string, name: string): number {
  const [, number = "", unit = ""] = new RegExp(`\\b${name} (\\d+)([a-z]*);`).exec(server) ?? [];
  return Number(number) * ({ "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, s: 1000 }[unit] ?? Number.NaN);
}

// Guarantee: no log of the proxy has a state key, an invitation, a code of single sign-on, or the query of a third party.
test("nginx logs no address that is a secret", () => {
  const format = /log_format platform '([^']*)'/.exec(nginx)?.[1] ?? "";
  expect(format).toContain("$platform_logged_path");
  expect(format).not.toMatch(/\$(request|request_uri|args|query_string|http_referer|uri)\b/);
  // Normalized by nginx: `$request_uri` may be spelled `/%73tate/`, or contain the host.
  const map = /map \$uri \$platform_logged_path \{([^}]*)\}/.exec(nginx)?.[1] ?? "";
  const rules = [...map.matchAll(/"~(\S+)"\s+"(\S+)";/g)].map(([, pattern = "", logged = ""]) => ({
    pattern,
    logged,
  }));
  const log = (address: string) =>
    rules.find(({ pattern }) => new RegExp(pattern).test(address))?.logged ?? address;
  const secret = /\[(token|key)\]/;
  const addresses = [...Object.keys(PAGE_POLICY), ...Object.keys(ROUTE_POLICY)].map(
    (name) => name.split(" ").at(-1) ?? "",
  );
  const secrets = addresses.filter((address) => secret.test(address));
  expect(secrets.length).toBeGreaterThan(3);
  for (const address of secrets)
    expect(log(address.replace(secret, "s3cret")), address).not.toContain("s3cret");
  expect(log("/home")).toBe("/home");
  // The one that redirects to TLS, too.
  expect(allServers).toHaveLength(3);
  for (const server of allServers) {
    expect(server).toMatch(/access_log \S+ platform;/);
    // Its errors quote the request line.
    expect(server).toMatch(/error_log \S+ crit;/);
  }
});

// Guarantee: while one of two gateways restarts, calls go to the other one, and none that was sent is sent again.
test("nginx sends a call to the next gateway only if the first one accepted no connection", () => {
  expect(gateway).toContain("http://platform_gateway");
  expect(gateway).toMatch(/proxy_next_upstream error;/);
  // A body that nginx has begun to pass on can't be sent again.
  expect(gateway).toMatch(/proxy_request_buffering off;/);
});

// Guarantee: nginx refuses and ends nothing that the platform takes.
test("nginx passes on what the platform takes, for as long as it takes", () => {
  expect(pages).toContain("http://platform_web");
  expect(directive(pages, "client_max_body_size")).toBeGreaterThanOrEqual(
    Math.max(IMAGE_MEBIBYTES * 1024 ** 2, DRAFT_BODY_BYTES),
  );
  expect(directive(gateway, "client_max_body_size")).toBe(0);
  for (const name of ["proxy_read_timeout", "proxy_send_timeout"])
    expect(directive(gateway, name), name).toBe(REQUEST_TIMEOUT_MS);
  for (const server of servers) expect(server).toMatch(/proxy_buffering off;/);
  // It closes idle connections to the platform after 60 s. A request on one that the platform closes would fail.
  expect(KEEP_ALIVE_MS).toBeGreaterThan(60_000);
  expect(nginx).not.toContain("keepalive_timeout");
});

test("the documents say the sizes and times of nginx.conf", () => {
  const megabytes = directive(pages, "client_max_body_size") / 1024 ** 2;
  const idle = [pages, gateway].map((server) => directive(server, "proxy_read_timeout") / 1000);
  const table = read("docs/production.md");
  expect(table).toMatch(new RegExp(`largest body +\\| ${megabytes} MB`));
  expect(table).toMatch(new RegExp(`idle time +\\| ${idle[0]} s +\\| ${idle[1]} s`));
  expect(read("docs/kubernetes.md").replaceAll("\n", " ")).toContain(
    `${idle[1]} seconds of idle time for the gateway, ${megabytes} MB and ${idle[0]} seconds for pages`,
  );
});

const has = (command: string, ...args: string[]) => spawnSync(command, args).error === undefined;

test.runIf(has("nginx", "-v") && has("openssl", "version"))("nginx reads its configuration", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "nginx-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, "logs"));
  const file = (name: string) => path.join(folder, name);
  const { key, cert } = createCertificate("127.0.0.1");
  await writeFile(file("key.pem"), key);
  await writeFile(file("fullchain.pem"), cert);
  await writeFile(
    file("platform.conf"),
    read("deploy/nginx.conf")
      .replaceAll("/etc/ssl/platform/", `${folder}/`)
      .replaceAll("/var/log/nginx/", `${folder}/logs/`),
  );
  await writeFile(
    file("nginx.conf"),
    `pid ${file("nginx.pid")}; error_log ${file("logs/error.log")}; events {} http { include ${file("platform.conf")}; }`,
  );
  const { status, stderr } = spawnSync("nginx", ["-t", "-p", folder, "-c", file("nginx.conf")], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stderr).not.toContain("[warn]");
});

test.runIf(has("systemd-analyze", "--version"))("systemd reads the unit", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "unit-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const unit = path.join(folder, "app-hosting.service");
  await writeFile(unit, read("deploy/app-hosting.service").replace("/usr/bin/node", process.execPath));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  // It may complain about units of the machine.
  expect(stderr).not.toContain("app-hosting.service");
});
