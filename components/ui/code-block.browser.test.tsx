import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { CodeBlock } from "./code-block";

const KEY = "pak_shown-once\nsecond line";

/** As on plain HTTP, on a host other than localhost. */
function withoutClipboard(): void {
  const described = Object.getOwnPropertyDescriptor(Navigator.prototype, "clipboard");
  if (described === undefined) throw new Error("This browser has no clipboard");
  Reflect.deleteProperty(Navigator.prototype, "clipboard");
  onTestFinished(() => void Object.defineProperty(Navigator.prototype, "clipboard", described));
}

// Guarantee: a key that is shown once can be copied on plain HTTP, too.
test("without the browser's clipboard, the text is copied all the same", async () => {
  withoutClipboard();
  await renderPage(
    <>
      <CodeBlock code={KEY} label="API key" wrap />
      <textarea aria-label="Elsewhere" />
    </>,
  );
  const button = page.getByRole("button", { name: "Copy API key" });
  await button.click();
  await expect.element(page.getByText("Copied")).toBeInTheDocument();
  expect(document.activeElement).toBe(button.element());
  await page.getByLabelText("Elsewhere").click();
  await userEvent.keyboard("{Control>}v{/Control}");
  await expect.element(page.getByLabelText("Elsewhere")).toHaveValue(KEY);
});

test("if nothing can copy, it says so, and shows the text selected", async () => {
  withoutClipboard();
  vi.spyOn(document, "execCommand").mockReturnValue(false);
  onTestFinished(() => void vi.restoreAllMocks());
  await renderPage(<CodeBlock code={KEY} label="API key" wrap />);
  await page.getByRole("button", { name: "Copy API key" }).click();
  await expect.element(page.getByText(/didn't copy the text. Press Ctrl\+C/)).toBeVisible();
  expect(document.getSelection()?.toString()).toBe(KEY);
  await checkAppearance("copying failed");
  await page.getByRole("button", { name: "Close" }).click();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
