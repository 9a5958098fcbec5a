import { expect, test } from "vitest";
import { createLogBuffer } from "./log-buffer";

// Guarantee: no line is lost when an app writes while earlier lines are being stored.
test("lines that arrive while others are stored are stored next", () => {
  const buffer = createLogBuffer({});
  const write = (text: string, second: number) =>
    buffer.push(
      { stream: "stdout", at: BigInt(second) * 1_000_000_000n, bytes: Buffer.from(`${text}\n`) },
      0,
    );
  const read = () =>
    buffer.read(false, 600).ready.map((entry) => ("text" in entry ? entry.text : entry.dropped));
  write("first", 1);
  write("second", 1);
  const storing = buffer.read(false, 600);
  write("third", 1);
  expect(storing.ready).toHaveLength(2);
  buffer.settle(storing.ready.length);
  expect(read()).toEqual(["third"]);
});
