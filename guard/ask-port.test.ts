import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { request } from "undici";
import { ASK_PORT } from "@/lib/domain/runtime/egress/control";
import { serveQuestions } from "./ask-port";

const GUARD = "127.71.0.3";

describe.skipIf(process.platform !== "linux")("the questions of the cluster", () => {
  let server: Server;
  let isReady = false;
  const asked: string[] = [];

  beforeEach(async () => {
    server = await serveQuestions({
      address: GUARD,
      isReady: () => isReady,
      knows: (uid, from) => {
        asked.push(`${uid} ${from}`);
        return uid === "known";
      },
    });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = async (path: string) => {
    const { statusCode, body } = await request(`http://${GUARD}:${ASK_PORT}${path}`, { reset: true });
    await body.dump();
    return statusCode;
  };

  test("it lives before it is ready, and knows a Pod by the address that asks", async () => {
    expect([await ask("/live"), await ask("/ready")]).toEqual([200, 503]);
    isReady = true;
    expect([await ask("/ready"), await ask("/"), await ask("/pods/known"), await ask("/pods/other")]).toEqual(
      [200, 503, 200, 503],
    );
    expect(asked).toEqual(["known 127.0.0.1", "other 127.0.0.1"]);
  });

  // Guarantee: an app can't keep the cluster's probes out, which would end the guard of all apps.
  test("one address has only a few connections at a time", async () => {
    const open = Array.from({ length: 20 }, () =>
      connect({ host: GUARD, port: ASK_PORT, localAddress: "127.71.0.9" }).on("error", () => undefined),
    );
    const ended = () => open.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;
    open.forEach((socket) => socket.resume());
    await expect.poll(ended).toBe(12);
    expect(await ask("/live")).toBe(200);
    for (const socket of open) socket.destroy();
    await expect
      .poll(async () => {
        const again = connect({ host: GUARD, port: ASK_PORT, localAddress: "127.71.0.9" });
        again.on("error", () => undefined).end("GET /live HTTP/1.1\r\nHost: a\r\n\r\n");
        const [answer] = await Promise.race([once(again, "data"), once(again, "close").then(() => [""])]);
        return String(answer).slice(0, 12);
      })
      .toBe("HTTP/1.1 200");
  });
});
