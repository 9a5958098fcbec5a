import { useState } from "react";
import { flushSync } from "react-dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { LogEntry } from "@/lib/contract/insight/app-log";
import { renderPage } from "@/tests/browser/render";
import { sampleLine } from "@/tests/samples/insight";
import { LogList } from "./log-list";

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    // Every seventh one is higher than a line that was not drawn yet is taken to be.
    sampleLine(from + index, {
      text: `line ${from + index}${(from + index) % 7 === 0 ? " is long".repeat(60) : ""}`,
    }),
  );

const scroller = page.getByRole("log", { name: "Log lines" });
const distanceFromEnd = () => {
  const { scrollHeight, clientHeight, scrollTop } = scroller.element();
  return scrollHeight - clientHeight - scrollTop;
};

/** Until the scroll is reported, and the lines in view are drawn and measured. */
async function drawn(): Promise<void> {
  let before = "";
  await expect
    .poll(async () => {
      for (let frame = 0; frame < 3; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = `${scroller.element().scrollTop} ${scroller.element().scrollHeight} ${findRead()?.text}`;
      const isSteady = now === before && findRead() !== undefined;
      before = now;
      return isSteady;
    })
    .toBe(true);
}

/** Draws lines 401 to 600 at their end. */
async function givenList() {
  let loads = 0;
  let show: (entries: readonly LogEntry[]) => void = () => undefined;
  let setWrap: (wrap: boolean) => void = () => undefined;
  function Shown() {
    const [wrap, changeWrap] = useState(true);
    setWrap = changeWrap;
    const [entries, setEntries] = useState<readonly LogEntry[]>(lines(401, 200));
    show = setEntries;
    return (
      <LogList
        entries={entries}
        wrap={wrap}
        q={undefined}
        showsInstance={false}
        head={null}
        loadOlder={() => (loads += 1)}
        onEndChange={() => undefined}
        jumps={0}
      />
    );
  }
  await renderPage(<Shown />);
  await expect.poll(distanceFromEnd).toBeLessThan(2);
  await drawn();
  return {
    countLoads: () => loads,
    show: (entries: readonly LogEntry[]) => flushSync(() => show(entries)),
    wrap: (wrap: boolean) => flushSync(() => setWrap(wrap)),
  };
}

/** The first line that is completely in view, and how far below the top it is. */
function findRead(): { text: string; below: number } | undefined {
  const top = scroller.element().getBoundingClientRect().top;
  for (const row of scroller.element().querySelectorAll("[data-index]")) {
    const below = row.getBoundingClientRect().top - top;
    if (below >= 0 && below < scroller.element().clientHeight)
      return { text: /line \d+/.exec(row.textContent)?.[0] ?? "", below };
  }
  return undefined;
}

/** As somebody does it: the list hears of it with the next frame. */
function scrollTo(top: number) {
  scroller.element().scrollTop = top;
}

// Guarantee: older lines are loaded only for somebody who scrolls up.
test("a list that opens at its end loads nothing, and loads when its start is near", async () => {
  const { countLoads } = await givenList();
  expect(countLoads()).toBe(0);
  scrollTo(300);
  await expect.poll(countLoads).toBe(1);
});

// Guarantee: the line that is read stays where it is, also when lines arrive before the browser has reported the scroll that leads to it.
test.for([
  { what: "older lines", arrive: [...lines(1, 400), ...lines(401, 200)] },
  { what: "new lines", arrive: lines(401, 220) },
  { what: "older and new lines", arrive: lines(1, 620) },
])("$what that arrive with a scroll leave it where it goes", async ({ arrive }) => {
  const { show } = await givenList();
  scrollTo(300);
  show(arrive);
  await drawn();
  expect(findRead()?.text).toMatch(/^line 4[01]\d$/);
  expect(distanceFromEnd()).toBeGreaterThan(3_000);
});

test.for([-150, 150])(
  "a scroll by %d px ends at the line that was there before older ones came",
  async (by) => {
    const { show } = await givenList();
    scrollTo(2_000);
    await drawn();
    scrollTo(scroller.element().scrollTop + by);
    const read = findRead();
    show(lines(1, 600));
    await drawn();
    expect(findRead()?.text).toBe(read?.text);
    expect(findRead()?.below).toBeCloseTo(read?.below ?? NaN, 0);
  },
);

test("a list at its end follows new lines again after somebody came back", async () => {
  const { show } = await givenList();
  scrollTo(300);
  show(lines(401, 201));
  await drawn();
  scrollTo(scroller.element().scrollHeight);
  await drawn();
  show(lines(401, 230));
  await expect.poll(distanceFromEnd).toBeLessThan(2);
  await expect.element(scroller).toHaveTextContent("line 630");
});

test("lines that get lower and higher leave the end in view", async () => {
  const { wrap } = await givenList();
  wrap(false);
  await drawn();
  expect(distanceFromEnd()).toBeLessThan(2);
  wrap(true);
  await drawn();
  expect(distanceFromEnd()).toBeLessThan(2);
});
