/** A browser that translates each page, as Chromium's translator does. */
import type { Page } from "@playwright/test";

/** How a translated text looks: «text». A text that the page changes later must look so, too. */
export async function translatePages(page: Page): Promise<void> {
  await page.addInitScript(startTranslator);
}

/**
 * Runs in the page. Each text node is replaced by `<font><font>` with another text node, again whenever the page changes. Half of
 * the texts are moved into the elements instead, which translators do as well.
 */
function startTranslator(): void {
  const SKIPPED = "[translate=no], .notranslate, script, style, noscript, textarea, svg, title";
  let count = 0;

  function translate(text: Text): void {
    const parent = text.parentElement;
    if (parent === null || parent.nodeName === "FONT" || parent.closest(SKIPPED) !== null) return;
    if (!/\p{L}/u.test(text.data)) return;
    const outer = document.createElement("font");
    const inner = document.createElement("font");
    outer.append(inner);
    count += 1;
    if (count % 2 === 0) {
      inner.append(`«${text.data}»`);
      parent.insertBefore(outer, text);
      text.remove();
    } else {
      parent.replaceChild(outer, text);
      inner.append(count % 3 === 0 ? text : `«${text.data}»`);
    }
  }

  function translateWithin(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    if (root instanceof Text) texts.push(root);
    while (walker.nextNode() !== null) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
    for (const text of texts) translate(text);
  }

  // Chromium offers a translation once the page has loaded; by then, React has taken over.
  const start = () => {
    if (document.querySelector("main") === null) return;
    translateWithin(document.body);
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target instanceof Text) translate(target);
        for (const node of addedNodes) translateWithin(node);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  };
  addEventListener("load", () => setTimeout(start, 300));
}
