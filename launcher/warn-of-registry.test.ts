import { createServer as createHttp, type RequestListener, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readEnvironment } from "@/lib/server/platform/environment";
import { warnOfRegistry } from "./warn-of-registry";

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/platform/apps`;
}

async function warnOf(url: string): Promise<string> {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const settings = { PLATFORM_REGISTRY_URL: url, PLATFORM_REGISTRY_CREDENTIALS: "platform:s3cret" };
  await warnOfRegistry(readEnvironment({ DATABASE_URL: "x", PLATFORM_MASTER_KEYS: "x", ...settings }));
  const lines = warn.mock.calls.flat().join("\n");
  warn.mockRestore();
  return lines;
}

const answer =
  (status: number): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { "www-authenticate": "Basic" }).end();

// Guarantee: an operator learns at the start, and not from the first publisher, that the registry can't be used, and which setting is wrong.
test("a registry that can't be used is named with the cause and the setting", async () => {
  expect(await warnOf("")).toBe("");
  expect(await warnOf(`http://${await listen(createHttp(answer(404)))}`)).toBe("");
  const locked = `http://${await listen(createHttp(answer(401)))}`;
  const warning = await warnOf(locked);
  expect(warning).toContain(`${locked} can't be used`);
  expect(warning).toContain("Correct PLATFORM_REGISTRY_CREDENTIALS.");
  expect(warning).not.toContain("s3cret");
  expect(await warnOf("http://127.0.0.1:1/platform/apps")).toContain("It can't be reached (ECONNREFUSED).");

  const folder = await mkdtemp(path.join(tmpdir(), "registry-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const kind = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-subj",
    "/CN=registry",
  ];
  execFileSync("openssl", ["req", "-x509", ...kind, "-keyout", key, "-out", cert, "-days", "2"], {
    stdio: "ignore",
  });
  const tls = createHttps({ key: await readFile(key), cert: await readFile(cert) }, answer(404));
  expect(await warnOf(`https://${await listen(tls)}`)).toMatch(
    /certificate is not trusted.*NODE_EXTRA_CA_CERTS/,
  );
});
