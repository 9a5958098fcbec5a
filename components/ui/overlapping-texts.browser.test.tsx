/** The check of large text finds what a page must not have. */
import { expect, test } from "vitest";
import { listOverlappingTexts } from "@/tests/browser/overlapping-texts";
import { renderPage } from "@/tests/browser/render";

const tile = { position: "absolute", width: 300, fontSize: 40, lineHeight: 1.2 } as const;

test("texts of tiles that are too low are found", async () => {
  await renderPage(
    <div style={{ position: "relative", height: 100 }}>
      <p style={{ ...tile, top: 0 }}>First</p>
      <p style={{ ...tile, top: 20 }}>Second</p>
    </div>,
  );
  expect(listOverlappingTexts()).toEqual(["“First” and “Second”"]);
});

test("texts beside and below each other, cut off, hidden, or above the page are not", async () => {
  await renderPage(
    <div style={{ position: "relative", height: 100 }}>
      <p style={{ ...tile, top: 0 }}>
        One <b>two</b>
      </p>
      <p style={{ ...tile, top: 50 }}>Three</p>
      <p style={{ ...tile, top: 0, opacity: 0 }}>Hidden</p>
      <p className="sr-only">For screen readers</p>
      <p style={{ ...tile, top: 0, height: 0, overflow: "hidden" }}>Cut off</p>
      <p role="dialog" aria-label="Dialog" style={{ ...tile, top: 0 }}>
        Above
      </p>
    </div>,
  );
  expect(listOverlappingTexts()).toEqual([]);
});
