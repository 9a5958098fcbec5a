/** The configuration files of `deploy/`, which people copy. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PAGE_POLICY, ROUTE_POLICY } from "@/lib/domain/accounts/policy";

const nginx = readFileSync(path.join(import.meta.dirname, "../deploy/nginx.conf"), "utf8").replace(
  /^\s*#.*$/gm,
  "",
);

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
  const servers = nginx.split(/^server \{/m).filter((server) => server.includes("proxy_pass"));
  expect(servers).toHaveLength(2);
  for (const server of servers) {
    expect(server).toMatch(/access_log \S+ platform;/);
    // Its errors quote the request line.
    expect(server).toMatch(/error_log \S+ crit;/);
  }
});

// Guarantee: while one of two gateways restarts, calls go to the other one, and none that was sent is sent again.
test("nginx sends a call to the next gateway only if the first one accepted no connection", () => {
  const gateway = nginx.split(/^server \{/m).find((server) => server.includes("http://platform_gateway"));
  expect(gateway).toMatch(/proxy_next_upstream error;/);
  // A body that nginx has begun to pass on can't be sent again.
  expect(gateway).toMatch(/proxy_request_buffering off;/);
});
