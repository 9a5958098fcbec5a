/**
 * Runs in a page. Texts that are printed over each other: those of boxes that are too small for what is in them. What is above the
 * page on purpose, such as a dialog or a bar that stays while the page scrolls, is compared only with itself.
 */
export function listOverlappingTexts(): string[] {
  interface Box {
    node: Node;
    text: string;
    layer: Element | null;
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  const LAYER = "[role=dialog], [role=alertdialog], [role=tooltip], [role=listbox], [role=menu]";
  const findLayer = (element: Element | null): Element | null => {
    if (element === null) return null;
    const isAbove = /fixed|sticky/.test(getComputedStyle(element).position) || element.matches(LAYER);
    return isAbove ? element : findLayer(element.parentElement);
  };
  /** What of a box its scroll containers show. */
  const clip = (box: Box, element: Element | null): Box => {
    if (element === null || element === document.body) return box;
    const { overflowX, overflowY, clipPath } = getComputedStyle(element);
    // What is only for screen readers.
    if (clipPath !== "none") return { ...box, right: box.left };
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const clipped = { ...box };
    if (overflowX !== "visible")
      Object.assign(clipped, { left: Math.max(box.left, left), right: Math.min(box.right, right) });
    if (overflowY !== "visible")
      Object.assign(clipped, { top: Math.max(box.top, top), bottom: Math.min(box.bottom, bottom) });
    return clip(clipped, element.parentElement);
  };
  const listBoxes = (node: Node): Box[] => {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    // Pictures and the code editor measure their text themselves.
    if (element === null || text === "" || element.closest("svg, canvas, script, style, .cm-editor") !== null)
      return [];
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
    const range = document.createRange();
    range.selectNodeContents(node);
    const layer = findLayer(element);
    return [...range.getClientRects()]
      .map(({ left, top, right, bottom }) => clip({ node, text, layer, left, top, right, bottom }, element))
      .filter(({ left, top, right, bottom }) => right - left > 2 && bottom - top > 4);
  };
  const boxes: Box[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) boxes.push(...listBoxes(walker.currentNode));
  boxes.sort((one, other) => one.top - other.top);
  const found = new Set<string>();
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      if (other.top >= one.bottom) break;
      // A text that is cut off with an ellipsis has two boxes.
      if (one.layer !== other.layer || one.node === other.node) continue;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - other.top;
      // Lines of text are a little higher than what is drawn of them.
      const least = 0.4 * Math.min(one.bottom - one.top, other.bottom - other.top);
      if (width > 3 && height > least)
        found.add(`“${one.text.slice(0, 40)}” and “${other.text.slice(0, 40)}”`);
    }
  });
  return [...found].slice(0, 5);
}
