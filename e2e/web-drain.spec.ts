/** P14 for the pages: one of two webs ends while people read, behind a balancer that follows `/ready`. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { expect, test } from "./fixtures";
import { startOwnWeb } from "./own-web";

const NOTICE_MS = 2_000;
const CHECK_MS = 100;
const REQUESTS = 200;

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
  const pending: Promise<void>[] = [];
  let stopped: Promise<number | null> | undefined;
  let seen: { status: number; connection: unknown }[] = [];
  for (let sent = 0; sent < REQUESTS; sent += 1) {
    const [first] = webs;
    if (sent === 50) {
      stopped = first.stop();
      await expect
        .poll(async () => (await ask(`${first.webUrl}/ready`)).status, { intervals: [5] })
        .toBe(503);
      seen = [await ask(`${first.webUrl}/sign-in`)];
    }
    const urls = [...ready];
    const url = urls[sent % urls.length] ?? "";
    const page = ask(`${url}/sign-in`).then(
      ({ status }) => void (status === 200 || failed.push(status)),
      (error: unknown) => void failed.push(error),
    );
    pending.push(page);
    await sleep(25);
  }
  await Promise.all(pending);
  expect(failed).toEqual([]);
  // While it gives notice, it serves pages, and says on each connection that the next request needs another one.
  expect(seen).toEqual([{ status: 200, connection: "close" }]);
  expect(await stopped).toBe(0);
  isOver = true;
  await Promise.all(checks);
  await agent.close();
  await webs[1].stop();
});
