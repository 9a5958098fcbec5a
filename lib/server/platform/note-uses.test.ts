import { expect, test } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import { createUseNotes } from "./note-uses";

const platform = await testPlatform();

// Guarantee: a process that ends has written the uses that a timer had begun to write.
test("a flush waits for one in progress", async () => {
  const events: string[] = [];
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  const uses = createUseNotes<string>(platform, "keys", async (_pool, notes) => {
    await held;
    events.push(`wrote ${[...notes.keys()].join()}`);
  });
  uses.note("key", "used");
  const first = uses.flush();
  const second = uses.flush().then(() => events.push("flushed"));
  // Whoever waits for nothing goes on before the next turn of the loop.
  await new Promise((resolve) => setImmediate(resolve));
  end();
  await Promise.all([first, second]);
  expect(events).toEqual(["wrote key", "flushed"]);
});
