/** P14 for the pages: one of two webs ends while people read, behind a balancer that follows `/ready`. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { expect, test } from "./fixtures";
import { startOwnWeb } from "./own-web";

const NOTICE_MS = 2_000;
const CHECK_MS = 100;
const REQUESTS = 200;
const READERS = 4;

test("a web that ends gives notice, and no request is lost", async ({ platform }) => {
  test.setTimeout(180_000);
  const settings = { PLATFORM_DRAIN_NOTICE_MS: String(NOTICE_MS) };
  const webs = [
    await startOwnWeb(platform, "drain_one", settings),
    await startOwnWeb(platform, "drain_two", settings),
  ] as const;
  const agent = new Agent();
  const ask = async (url: string) => {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent });
    await body.dump();
    return { status: statusCode, connection: headers.connection };
  };
  const ready = new Set(webs.map(({ webUrl }) => webUrl));
  let isOver = false;
  const checks = webs.map(async ({ webUrl }) => {
    while (!isOver) {
      const isReady = await ask(`${webUrl}/ready`).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isReady) ready.add(webUrl);
      else ready.delete(webUrl);
      await sleep(CHECK_MS);
    }
  });

  const failed: unknown[] = [];
  let sent = 0;
  // Like a balancer with a limit, so that a slow machine gets no longer queue.
  const readers = Array.from({ length: READERS }, async () => {
    while (sent < REQUESTS) {
      const urls = [...ready];
      const url = urls[sent % urls.length] ?? "";
      sent += 1;
      const error = await ask(`${url}/sign-in`).then(
        ({ status }) => (status === 200 ? undefined : status),
        (reason: unknown) => reason,
      );
      if (error !== undefined) failed.push(error);
      await sleep(25);
    }
  });
  const [first] = webs;
  await expect.poll(() => sent).toBeGreaterThan(REQUESTS / 4);
  const stopped = first.stop();
  await expect
    .poll(async () => (await ask(`${first.webUrl}/ready`)).status, { intervals: [5], timeout: NOTICE_MS })
    .toBe(503);
  const seen = await ask(`${first.webUrl}/sign-in`);
  await Promise.all(readers);
  expect(failed).toEqual([]);
  // While it gives notice, it serves pages, and says on each connection that the next request needs another one.
  expect(seen).toEqual({ status: 200, connection: "close" });
  expect(await stopped).toBe(0);
  isOver = true;
  await Promise.all(checks);
  await agent.close();
  await webs[1].stop();
});
