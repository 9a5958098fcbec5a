/** `deploy/compose.yaml`, as docker reads it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const folder = path.join(import.meta.dirname, "../deploy");
const text = readFileSync(path.join(folder, "compose.yaml"), "utf8");
const example = readFileSync(path.join(folder, "compose.env.example"), "utf8");

const { services, volumes } = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        restart: z.string(),
        logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }),
        healthcheck: z.object({ test: z.array(z.string()), interval: z.string() }).optional(),
        env_file: z.array(z.string()).optional(),
        environment: z.record(z.string(), z.string()),
        volumes: z.array(z.string()).default([]),
      }),
    ),
    volumes: z.record(z.string(), z.unknown()),
  })
  .parse(parse(text, { merge: true }));

const PARTS = ["web", "gateway", "worker"] as const;

// Guarantee: what docker shows as healthy was asked, and no log fills the disk.
test("every service that keeps running has a health check, and all logs are rotated", () => {
  for (const [name, { restart, healthcheck, logging }] of Object.entries(services)) {
    if (restart === "unless-stopped") expect(healthcheck, name).toBeDefined();
    expect(logging, name).toEqual({ driver: "json-file", options: { "max-size": "10m", "max-file": "5" } });
  }
});

test.each(PARTS)("docker says of %s what its /ready says", async (part) => {
  const name = `PLATFORM_${part.toUpperCase()}_PORT`;
  const port = services[part]?.environment[name] ?? "";
  expect(port).toContain(`\${${name}:-`);
  const [kind, command, ...args] = services[part]?.healthcheck?.test ?? [];
  expect([kind, command]).toEqual(["CMD", "node"]);
  let status = 200;
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/ready" ? status : 404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: actual } = server.address() as AddressInfo;
  const check = async () => {
    const child = spawn(
      process.execPath,
      args.map((arg) => arg.replace(port, String(actual))),
    );
    const [code] = (await once(child, "exit")) as [number];
    return code;
  };
  expect(await check()).toBe(0);
  status = 503;
  expect(await check()).toBe(1);
  server.close();
  server.closeAllConnections();
  expect(await check()).toBe(1);
});

// Guarantee: a setting that the operator writes is not ignored.
test("parts and commands get every setting of deploy/.env, and each part a port for its metrics", () => {
  for (const name of [...PARTS, "migrate", "setup"]) expect(services[name]?.env_file, name).toEqual([".env"]);
  const ports = PARTS.map((part) => services[part]?.environment.PLATFORM_METRICS_PORT);
  expect(ports).toEqual(PARTS.map((part) => `\${METRICS_PORT_${part.toUpperCase()}:-}`));
});

test("the example names everything that compose.yaml reads", () => {
  const named = new Set([...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name));
  const read = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
  expect([...read, "NPM_CONFIG_REGISTRY"].filter((name) => !named.has(name))).toEqual([]);
});

// Guarantee: what a worker and a gateway write is there after an update.
test.each(["gateway", "worker"])("the data of %s is kept", (part) => {
  expect(services[part]?.volumes).toContain(`${part}:/data`);
  expect(volumes).toHaveProperty(part);
});
