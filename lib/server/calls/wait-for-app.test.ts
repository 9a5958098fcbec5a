import { v7 } from "uuid";
import { expect, test } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import { enterApp } from "./wait-for-app";

const platform = await testPlatform({ PLATFORM_APP_CALLS: "4" });

// Guarantee: an app that hangs takes no more than its places, and no customer of it takes all of them.
test("a customer gets half of an app's places; others, and other apps, are not refused", async () => {
  const [version, greedy, other] = [v7(), v7(), v7()];
  const held = [await enterApp(platform, version, greedy, 1), await enterApp(platform, version, greedy, 1)];
  const waiting = enterApp(platform, version, greedy, 1);
  await enterApp(platform, version, other, 1);
  await enterApp(platform, v7(), greedy, 1);
  held[0]?.leave();
  expect((await waiting).waitedMs).toBeGreaterThanOrEqual(0);
});

test("a call that would wait too long is refused with APP_BUSY, and learns when to try again", async () => {
  const [version, greedy] = [v7(), v7()];
  for (let at = 0; at < 2; at += 1) await enterApp(platform, version, greedy, 1);
  const waiting = Array.from({ length: 6 }, () => enterApp(platform, version, greedy, 1));
  for (const refused of await Promise.allSettled(waiting))
    expect(refused).toMatchObject({
      reason: { code: "APP_BUSY", status: 503, retryAfterSeconds: expect.any(Number) },
    });
});
