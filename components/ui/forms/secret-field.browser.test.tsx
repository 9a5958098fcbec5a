/** A secret reaches the form exactly as it was pasted, and the field says what can't be seen in it. */
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ExactTextField } from "./exact-field";
import { SecretField } from "./secret-field";

const key = () => page.getByRole("textbox", { name: "Provider key" });
const said = () => page.getByRole("status").first();
const button = (name: string) => page.getByRole("button", { name, exact: true });

type Field = typeof SecretField | typeof ExactTextField;

async function renderField(Field: Field, first = "") {
  const onChange = vi.fn<(value: string) => void>();
  function Form() {
    const [value, setValue] = useState(first);
    return (
      <Field
        label="Provider key"
        hint="From your provider's console."
        value={value}
        onChange={(text) => {
          onChange(text);
          setValue(text);
        }}
      />
    );
  }
  await renderPage(<Form />);
  return { onChange, last: () => onChange.mock.lastCall?.[0] };
}

/** What the browser does with a paste that no script prevents: it inserts the text with its own line breaks. */
async function paste(text: string): Promise<void> {
  const target = document.activeElement;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement))
    throw new Error("no field");
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  if (target.dispatchEvent(event)) document.execCommand("insertText", false, text);
  await expect.poll(() => document.activeElement?.tagName).toMatch(/INPUT|TEXTAREA/);
}

/** What the browser does with text that is dropped and that no script prevents: an input drops its line breaks. */
async function drop(text: string, at?: { x: number; y: number }): Promise<void> {
  const target = key().element();
  const box = target.getBoundingClientRect();
  const dataTransfer = new DataTransfer();
  dataTransfer.setData("text/plain", text);
  const { x, y } = at ?? { x: box.right - 50, y: box.top + box.height / 2 };
  const event = new DragEvent("drop", {
    dataTransfer,
    clientX: x,
    clientY: y,
    bubbles: true,
    cancelable: true,
  });
  if (!target.dispatchEvent(event)) return;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  target.focus();
  const place = document.caretPositionFromPoint(x, y)?.offset ?? target.value.length;
  target.setSelectionRange(place, place);
  document.execCommand("insertText", false, text);
}

const LINES = [
  "-----BEGIN PRIVATE KEY-----",
  ...Array.from({ length: 26 }, () => "M".repeat(64)),
  "-----END PRIVATE KEY-----",
];

test.each([
  ["\n", ""],
  ["\r\n", ", Windows line breaks (CRLF), which are kept"],
])("a pasted key keeps its line breaks (%j), hidden, and says its size", async (lineBreak, note) => {
  const pem = LINES.join(lineBreak);
  const { last } = await renderField(SecretField);
  await key().click();
  await paste(`${pem} `);
  expect(last()).toBe(`${pem} `);
  const characters = (pem.length + 1).toLocaleString("en-US");
  await expect
    .element(said())
    .toHaveTextContent(`28 lines, ${characters} characters, ends with a space${note}.`);
  await expect.element(key()).toHaveFocus();
  expect(key().element().tagName).toBe("TEXTAREA");
  expect(getComputedStyle(key().element()).getPropertyValue("-webkit-text-security")).toBe("disc");
  await checkAppearance(`secret, several lines${note}`);
  await button("Trim Provider key").click();
  expect(last()).toBe(pem);
  await expect.element(button("Undo trim of Provider key")).toHaveFocus();
  await checkAppearance(`secret, trimmed${note}`);
  await userEvent.keyboard("{Enter}");
  expect(last()).toBe(`${pem} `);
  await key().click();
  await userEvent.keyboard("{Control>}{End}{/Control}{Backspace}!");
  expect(last()).toBe(`${pem}!`);
  await button("Show Provider key").click();
  expect(getComputedStyle(key().element()).getPropertyValue("-webkit-text-security")).toBe("none");
  await checkAppearance(`secret, shown${note}`);
});

test("lines pasted into the middle, over a selection, and again", async () => {
  const { last } = await renderField(SecretField, "head tail");
  await key().click();
  await userEvent.keyboard(
    "{Home}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{/Shift}",
  );
  await paste("\r\n1\r\n");
  expect(last()).toBe("head\r\n1\r\ntail");
  await userEvent.keyboard("x");
  expect(last()).toBe("head\r\n1\r\nxtail");
  await paste("a\nb");
  expect(last()).toBe("head\r\n1\r\nxa\nbtail");
  await userEvent.keyboard("{Control>}z{/Control}");
  expect(last()).toBe("head\r\n1\r\nxtail");
});

test("what can't be seen is said after a paste, and after typing only then", async () => {
  const { last } = await renderField(SecretField);
  await key().click();
  await paste("\uFEFF \u00A0k\u200Be\u201Dy\t\u202E");
  await expect
    .element(said())
    .toHaveTextContent(
      "10 characters, starts with 3 blank characters, 1 tab, 1 no-break space, 1 byte order mark, 1 text direction mark, 1 zero-width character, 1 curly quote.",
    );
  await checkAppearance("secret, invisible characters");
  await button("Trim Provider key").click();
  expect(last()).toBe("k\u200Be\u201Dy\t\u202E");
  await key().fill("");
  await userEvent.keyboard("key");
  await userEvent.tab();
  await expect.element(said()).toHaveTextContent(/^$/);
  await key().click();
  await userEvent.keyboard("{End} ");
  await expect.element(page.getByText("Ends with a space.")).not.toBeInTheDocument();
  await userEvent.tab();
  await expect.element(said()).toHaveTextContent("Ends with a space.");
});

test("a paste of one line stays in one line", async () => {
  const { last } = await renderField(SecretField);
  await key().click();
  await paste("sk_live_123");
  expect(last()).toBe("sk_live_123");
  await expect.element(said()).toHaveTextContent("11 characters.");
  expect(key().element().tagName).toBe("INPUT");
  await expect.element(page.getByRole("button", { name: /Trim/ })).not.toBeInTheDocument();
});

// Guarantee: to open a form changes nothing.
test.each([
  "a\nb",
  "a\r\nb",
  "a\rb",
  "one\r\ntwo\n",
  "tab\there\n",
  "\n",
  "e\u0301\u2028\u200B😀\n\uFEFF",
  " a\u00A0\nb ",
  "\n\n",
])("a stored text is shown and not changed: %j", async (stored) => {
  const { onChange } = await renderField(ExactTextField, stored);
  await key().click();
  await userEvent.tab();
  expect(onChange).not.toHaveBeenCalled();
  await key().click();
  await userEvent.keyboard("{Control>}{End}{/Control}!");
  expect(onChange.mock.calls).toEqual([[`${stored}!`]]);
});

test.each(["\n", "\r\n"])("a dropped key is what a pasted one is (%j)", async (lineBreak) => {
  const pem = LINES.join(lineBreak);
  const { last } = await renderField(SecretField);
  await drop(pem);
  expect(last()).toBe(pem);
  await expect.element(said()).toHaveTextContent(/^28 lines, [\d,]+ characters/);
  expect(key().element().tagName).toBe("TEXTAREA");
  await expect.element(key()).toHaveFocus();
  expect(getComputedStyle(key().element()).getPropertyValue("-webkit-text-security")).toBe("disc");
  // Into several lines, the browser drops it, with line breaks of its own.
  await userEvent.keyboard("{Control>}{Home}{/Control}");
  const { x, y } = key().element().getBoundingClientRect();
  await drop(`a${lineBreak}b`, { x: x + 14, y: y + 14 });
  await expect.poll(last).toBe(`a${lineBreak}b${pem}`);
});

test.each([SecretField, ExactTextField])("text is dropped where it is let go", async (Field) => {
  const { last } = await renderField(Field, "0123456789");
  const { x, y, height } = key().element().getBoundingClientRect();
  await drop("one\ntwo", { x: x + 13, y: y + height / 2 });
  expect(last()).toBe("one\ntwo0123456789");
});

test("a file that is dropped is left to the browser", async () => {
  const { onChange } = await renderField(SecretField);
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["x"], "key.pem"));
  const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  expect(key().element().dispatchEvent(event)).toBe(true);
  expect(onChange).not.toHaveBeenCalled();
});
