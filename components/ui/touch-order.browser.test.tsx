/** A finger moves rows by their handles: real touches, as Chromium gets them from a screen. */
import { expect, onTestFinished, test } from "vitest";
import { cdp, page } from "vitest/browser";
import { ManifestEditor } from "@/components/catalog/editor/manifest-editor";
import { checkedDraftJson } from "@/lib/domain/catalog/manifest/check-manifest";
import { renderPage } from "@/tests/browser/render";
import { selectEntry } from "@/tests/browser/select-entry";

async function openEditor(id: string, fields: readonly unknown[], width = 390) {
  localStorage.clear();
  await page.viewport(width, 844);
  await cdp().send("Emulation.setTouchEmulationEnabled", { enabled: true });
  onTestFinished(
    async () => void (await cdp().send("Emulation.setTouchEmulationEnabled", { enabled: false })),
  );
  const text = JSON.stringify({ name: "acme/touch", version: "1.0.0", app: { fields } });
  const draft = { text, revision: 3, baseVersionId: null, updatedAt: null, updatedBy: null };
  const listing = { id, appName: "touch", name: "acme/touch", title: "Touch", published: undefined };
  await renderPage(<ManifestEditor listing={listing} draftJson={checkedDraftJson(draft, listing.name)} />, {
    path: "/publish/touch/manifest",
    answers: { [`GET /api/listings/${id}/manifest`]: draft },
  });
}

const row = (name: string) => page.getByRole("row", { name, exact: true });
const rowNames = (grid: string) =>
  [...page.getByRole("grid", { name: grid, exact: true }).element().querySelectorAll("[role=row]")].map(
    (one) => one.getAttribute("aria-label"),
  );

interface Point {
  x: number;
  y: number;
}

/** The handle, but not its center: screen readers press there. */
function handleOf(name: string): Point {
  const box = row(name).element().querySelector("[slot=drag]")?.getBoundingClientRect();
  if (box === undefined) throw new Error(`${name} has no handle.`);
  return { x: box.x + box.width / 2 + 2, y: box.y + box.height / 2 + 3 };
}

function above(name: string): Point {
  const { x, y } = row(name).element().getBoundingClientRect();
  return { x: x + 40, y: y + 3 };
}

/** The tests' page shows them in a frame. */
function inWindow({ x, y }: Point): Point {
  const frame = window.frameElement?.getBoundingClientRect();
  const scale = frame === undefined ? 1 : frame.width / window.innerWidth;
  return { x: (frame?.x ?? 0) + x * scale, y: (frame?.y ?? 0) + y * scale };
}

async function touch(type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel", ...points: Point[]) {
  await cdp().send("Input.dispatchTouchEvent", { type, touchPoints: points.map(inWindow) });
}

async function drag(from: Point, to: Point): Promise<void> {
  await touch("touchStart", from);
  for (let step = 1; step <= 6; step += 1)
    await touch("touchMove", {
      x: from.x + ((to.x - from.x) * step) / 6,
      y: from.y + ((to.y - from.y) * step) / 6,
    });
}

/** The row that follows the finger. */
const shownDrag = () => document.querySelector("body > .fixed")?.textContent ?? "";

const FIELDS = ["Region", "Provider key", "Note"].map((title, at) => ({
  name: `s${at}`,
  title,
  type: "Text",
}));

test("a finger moves a setting by its handle, and what it moves is shown", async () => {
  await openEditor("6f1b2c34-0000-4000-8000-000000000071", FIELDS);
  await expect.element(row("Note")).toBeVisible();
  await drag(handleOf("Note"), above("Region"));
  await expect.poll(shownDrag).toBe("Note");
  await touch("touchEnd");
  await expect.poll(() => rowNames("Settings")).toEqual(["Note", "Region", "Provider key"]);
  await expect.element(row("Note")).toHaveFocus();
  await expect.element(page.getByText('Move "Note" up: position 1 of 3')).toBeInTheDocument();
});

test("a touch that the browser takes back moves nothing, and neither does a tap", async () => {
  await openEditor("6f1b2c34-0000-4000-8000-000000000072", FIELDS);
  await expect.element(row("Note")).toBeVisible();
  await drag(handleOf("Note"), above("Region"));
  await expect.poll(shownDrag).toBe("Note");
  await touch("touchCancel");
  await expect.poll(shownDrag).toBe("");
  expect(rowNames("Settings")).toEqual(["Region", "Provider key", "Note"]);
  await touch("touchStart", handleOf("Region"));
  await touch("touchEnd");
  expect(rowNames("Settings")).toEqual(["Region", "Provider key", "Note"]);
  await expect.element(page.getByText(/^Move "/)).not.toBeInTheDocument();
});

test("a finger moves a value of a Select by its handle", async () => {
  const values = ["Europe", "America", "Asia"].map((text) => ({ text, value: text.slice(0, 2) }));
  const field = { name: "region", title: "Region", type: "Select", values };
  await openEditor("6f1b2c34-0000-4000-8000-000000000073", [field], 1440);
  await selectEntry("Region");
  await expect.element(row("Asia")).toBeVisible();
  row("Europe").element().scrollIntoView({ block: "center" });
  await drag(handleOf("Asia"), above("Europe"));
  await touch("touchEnd");
  await expect.poll(() => rowNames("Values")).toEqual(["Asia", "Europe", "America"]);
});
