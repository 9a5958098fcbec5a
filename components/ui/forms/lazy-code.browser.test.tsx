/** Code that is loaded later, when loading it fails: said, tried again, and recovered. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { Dialog } from "./dialog";
import { lazyDialog, lazyPart, usePreload } from "./lazy-code";

/** Fails until `isOnline` is set, as a chunk does that can't be fetched. */
function createCode<Loaded>(loaded: Loaded) {
  const code = { isOnline: false, tries: 0, load };
  return code;
  function load(): Promise<Loaded> {
    code.tries += 1;
    return code.isOnline ? Promise.resolve(loaded) : Promise.reject(new Error("ChunkLoadError"));
  }
}

const failure = () => page.getByText("This part of the page couldn't be loaded");
const retry = () => page.getByRole("button", { name: "Try again" });

test("a part whose code fails to load says so, and recovers by a retry", async () => {
  const code = createCode(() => <p>The part</p>);
  const Part = lazyPart(code.load, <p>Loading</p>);
  await renderPage(<Part />);
  await expect.element(failure()).toBeVisible();
  await checkAppearance("lazy part, failed");
  await retry().click();
  await expect.poll(() => code.tries).toBe(2);
  await expect.element(failure()).toBeVisible();
  code.isOnline = true;
  await retry().click();
  await expect.element(page.getByText("The part")).toBeVisible();
  expect(code.tries).toBe(3);
});

test("a part that failed to load appears by itself when the network is back", async () => {
  const code = createCode(() => <p>The part</p>);
  const Part = lazyPart(code.load);
  await renderPage(<Part />);
  await expect.element(failure()).toBeVisible();
  code.isOnline = true;
  window.dispatchEvent(new Event("online"));
  await expect.element(page.getByText("The part")).toBeVisible();
});

test("parts are loaded from the first input on, before they are shown", async () => {
  const code = createCode(() => <p>The part</p>);
  code.isOnline = true;
  const Part = lazyPart(code.load);
  const parts = [Part];
  function Page() {
    usePreload(parts);
    const [isShown, setShown] = useState(false);
    return isShown ? <Part /> : <button onClick={() => setShown(true)}>Show</button>;
  }
  await renderPage(<Page />);
  expect(code.tries).toBe(0);
  await page.getByRole("button", { name: "Show" }).hover();
  await expect.poll(() => code.tries).toBe(1);
  code.isOnline = false;
  await page.getByRole("button", { name: "Show" }).click();
  await expect.element(page.getByText("The part")).toBeVisible();
  expect(code.tries).toBe(1);
});

test("a dialog whose code fails to load says so, can be closed, and opens once the code is there", async () => {
  const code = createCode(Dialog);
  const Lazy = lazyDialog(code.load);
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        <Lazy isOpen={isOpen} onOpenChange={setOpen} title="The dialog">
          Content
        </Lazy>
      </>
    );
  }
  await renderPage(<Page />);
  const open = page.getByRole("button", { name: "Open" });
  const failed = page.getByRole("dialog", { name: "This part of the page couldn't be loaded" });
  await open.click();
  await expect.element(failed).toBeVisible();
  await checkAppearance("lazy dialog, failed");
  await userEvent.keyboard("{Escape}");
  await expect.element(failed).not.toBeInTheDocument();
  await open.click();
  await expect.element(failed).toBeVisible();
  code.isOnline = true;
  await retry().click();
  await expect.element(page.getByRole("dialog", { name: "The dialog" })).toBeVisible();
});
