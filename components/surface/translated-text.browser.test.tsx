import { Fragment, useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { SURVIVE_TRANSLATION } from "@/lib/client/translated-text";
import { renderPage } from "@/tests/browser/render";

/** Texts beside other nodes, which React changes, removes, and inserts before. */
function Changing() {
  const [count, setCount] = useState(0);
  return (
    <section aria-label="Changing">
      <button type="button" onClick={() => setCount(count + 1)}>
        Next
      </button>
      <p>
        {count % 2 === 0 ? "even" : <b>odd</b>}
        {count > 1 && "many "}
        {`count ${count}`}
      </p>
    </section>
  );
}

/** Texts with keys, in turn one, two, three; three, two, one; two, one; and one alone. */
const ORDERS = [["one", "two", "three"], ["three", "two", "one"], ["two", "one"], ["one"]];

function Ordered() {
  const [turn, setTurn] = useState(0);
  return (
    <section aria-label="Changing">
      <button type="button" onClick={() => setTurn(turn + 1)}>
        Next
      </button>
      <p>
        {ORDERS[turn % ORDERS.length]?.map((text) => (
          <Fragment key={text}>{`${text} `}</Fragment>
        ))}
      </p>
    </section>
  );
}

type Translation = (text: Text, font: HTMLElement) => void;

/** How translators take the place of a text. */
const TRANSLATIONS: [string, Translation][] = [
  ["replaced", (text, font) => text.replaceWith(font)],
  ["removed", (text, font) => (text.before(font), text.remove())],
  [
    "moved",
    (text, font) => {
      text.before(font);
      font.replaceChildren(text);
    },
  ],
];

function translate(root: Element, replace: Translation): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null)
    if (walker.currentNode instanceof Text && walker.currentNode.parentElement?.nodeName !== "FONT")
      texts.push(walker.currentNode);
  for (const text of texts) {
    const font = document.createElement("font");
    font.append(`«${text.data}»`);
    replace(text, font);
  }
}

new Function(SURVIVE_TRANSLATION)();

// Guarantee: React can still change a page after a translator has replaced its texts.
test.each(TRANSLATIONS)("texts that were %s are changed and removed", async (_how, replace) => {
  await renderPage(<Changing />);
  const section = page.getByRole("region", { name: "Changing" });
  const expected = ["evencount 0", "oddcount 1", "evenmany count 2", "oddmany count 3", "evenmany count 4"];
  for (const text of expected) {
    const shown = () => section.element().querySelector("p")?.textContent?.replaceAll(/[«»]/g, "");
    await expect.poll(shown).toBe(text);
    translate(section.element(), replace);
    expect(shown()).toBe(text);
    section.element().querySelector("button")?.click();
  }
});

test.each(TRANSLATIONS)("texts that were %s change places", async (_how, replace) => {
  await renderPage(<Ordered />);
  const section = page.getByRole("region", { name: "Changing" });
  for (const texts of [...ORDERS, ...ORDERS]) {
    const shown = () => section.element().querySelector("p")?.textContent?.replaceAll(/[«»]/g, "").trim();
    await expect.poll(shown).toBe(texts.join(" "));
    translate(section.element(), replace);
    expect(shown()).toBe(texts.join(" "));
    section.element().querySelector("button")?.click();
  }
});

test("a library may leave out where it inserts, as browsers allow", () => {
  const list = document.createElement("ul");
  const [first, last] = [document.createElement("li"), document.createElement("li")];
  Reflect.apply(list.insertBefore, list, [first, undefined]);
  Reflect.apply(list.insertBefore, list, [last, null]);
  expect([...list.children]).toEqual([first, last]);
});

// Guarantee: an error of our own is still seen.
test("a node that nobody translated can't be removed from where it isn't", () => {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  const { contentWindow: other, contentDocument } = frame;
  if (other === null || contentDocument === null) throw new Error("The frame has no document");
  const script = contentDocument.createElement("script");
  script.text = `${SURVIVE_TRANSLATION}
    try { document.body.removeChild(document.createElement("p")); } catch (error) { window.name = error.name; }`;
  contentDocument.head.append(script);
  expect(other.name).toBe("NotFoundError");
  frame.remove();
});
