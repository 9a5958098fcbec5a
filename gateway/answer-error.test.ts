import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { refused } from "@/lib/server/images/registry-client";
import { testPlatform } from "@/tests/test-platform";
import { answerError } from "./answer-error";

const platform = await testPlatform();

async function answer(error: unknown) {
  const log = vi.spyOn(platform.log, "error");
  const server = createServer((request, response) => answerError(platform, request, response, error));
  onTestFinished(() => {
    log.mockRestore();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  return { status: response.status, body: await response.text(), logged: log.mock.calls.length };
}

// Guarantee: wherever the disk turns out to be full, the caller gets 507, and the log names the cause.
test("a full disk is not reported as an unexpected error", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, mkdtemp"), { code: "ENOSPC" });
  expect(await answer(full)).toMatchObject({
    status: 507,
    body: expect.stringContaining("STORAGE_FULL"),
    logged: 1,
  });
});

// Guarantee: publishers are told to contact the operator, who finds the cause in the log.
test("a failing image registry is logged", async () => {
  expect(await answer(refused("it doesn't accept the configured credentials"))).toMatchObject({
    status: 503,
    logged: 1,
  });
});
