/** A secret reaches the form exactly as it was pasted, and the field says what can't be seen in it. */
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { listStrayLoginFields } from "@/tests/browser/login-fields";
import { ExactTextField } from "./exact-field";
import { PasswordField, TextField } from "./fields";
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
  if (!(target instanceof HTMLTextAreaElement)) throw new Error("no field");
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  if (target.dispatchEvent(event)) document.execCommand("insertText", false, text);
}

/** What the browser does with text that is dropped and that no script prevents. */
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
  if (!target.dispatchEvent(event) || !(target instanceof HTMLTextAreaElement)) return;
  target.focus();
  const place = document.caretPositionFromPoint(x, y)?.offset ?? target.value.length;
  target.setSelectionRange(place, place);
  document.execCommand("insertText", false, text);
}

// Guarantee: no password manager fills a secret of another system with this site's login, nor saves it as that, in one line or several.
test.each([
  ["a secret", SecretField, "one line"],
  ["a secret of several lines", SecretField, "one\ntwo"],
  ["a text setting", ExactTextField, "one line"],
])("the extensions of password managers are told to ignore %s", async (_what, Field, value) => {
  await renderField(Field, value);
  const field = key().element();
  for (const name of ["data-1p-ignore", "data-lpignore", "data-bwignore", "data-protonpass-ignore"])
    expect(field.getAttribute(name), name).toBe("true");
  expect(field.getAttribute("data-form-type")).toBe("other");
  expect(field.getAttribute("autocomplete")).toBe("off");
  expect(field.classList).toContain("keeper-ignore");
});

test("the site's own password field has no such hint", async () => {
  await renderPage(
    <PasswordField label="Provider key" autoComplete="current-password" name="password" isRequired />,
  );
  const names = page.getByLabelText("Provider key", { exact: true }).element().getAttributeNames();
  expect(names.filter((name) => name.startsWith("data-") && /ignore|form-type/.test(name))).toEqual([]);
  expect(listStrayLoginFields()).toEqual([]);
});

test("a login field that is told to be ignored is found, and a secret that is not", async () => {
  await renderPage(
    <form>
      <input aria-label="Email" name="email" autoComplete="username" data-lpignore="true" />
      <input aria-label="Key" className="masked" autoComplete="off" data-1p-ignore="true" />
    </form>,
  );
  expect(listStrayLoginFields()).toHaveLength(2);
});

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
  expect(key().element()).toHaveProperty("rows", 1);
  await expect.element(page.getByRole("button", { name: /Trim/ })).not.toBeInTheDocument();
});

// Guarantee: however lines get into the field, they stay lines: keyboards of phones insert what was copied as if it was typed.
test.each([SecretField, ExactTextField])("lines that come without a paste stay", async (Field) => {
  const { last } = await renderField(Field, "head tail");
  await key().click();
  await userEvent.keyboard("{Home}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}");
  document.execCommand("insertText", false, "\none\ntwo");
  await expect.poll(last).toBe("head\none\ntwo tail");
  await expect.element(key()).toHaveFocus();
  await userEvent.keyboard("!");
  await expect.poll(last).toBe("head\none\ntwo! tail");
  expect(key().element()).toHaveProperty("rows", 3);
});

test("lines that come without a paste are described, and hidden", async () => {
  await renderField(SecretField);
  await key().click();
  document.execCommand("insertText", false, LINES.join("\n"));
  await expect.element(said()).toHaveTextContent(/^28 lines, [\d,]+ characters/);
  expect(getComputedStyle(key().element()).getPropertyValue("-webkit-text-security")).toBe("disc");
});

test("one row is as high as an input, whatever it has, and Enter in it sends the form", async () => {
  const send = vi.fn();
  await renderPage(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextField label="Name" autoComplete="off" defaultValue="x" />
      <SecretField label="Provider key" value={"long ".repeat(100)} onChange={() => undefined} />
      <button type="button">Other</button>
      <button type="submit">Save</button>
    </form>,
  );
  const heights = ["Name", "Provider key"].map(
    (name) => page.getByRole("textbox", { name }).element().getBoundingClientRect().height,
  );
  expect(heights[1]).toBe(heights[0]);
  expect(key().element().scrollHeight).toBe(key().element().clientHeight);
  await key().click();
  await userEvent.keyboard("{Enter}");
  expect(send).toHaveBeenCalledTimes(1);
  expect(key().element()).toHaveProperty("rows", 1);
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
