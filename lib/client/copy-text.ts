/**
 * Puts a text on the clipboard. Browsers have `navigator.clipboard` only on HTTPS and localhost; elsewhere, such as on plain HTTP in a
 * company's network, the older command does it. Resolves to whether the text was copied.
 */
export async function copyText(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  );
}

/** The command copies what is selected, if anything is. Focus stays where it is, so dialogs don't notice. */
function copySelected(text: string): boolean {
  const selection = document.getSelection();
  if (selection === null) return false;
  const before = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index));
  const selected = document.createElement("span");
  selected.textContent = text;
  selected.style.cssText = "position:fixed;top:0;left:0;opacity:0;white-space:pre;user-select:text;";
  let copied = false;
  const write = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData("text/plain", text);
    copied = event.clipboardData !== null;
  };
  document.body.append(selected);
  selection.selectAllChildren(selected);
  document.addEventListener("copy", write, { capture: true });
  try {
    // The only way on plain HTTP.
    return document.execCommand("copy") && copied;
  } catch {
    return false;
  } finally {
    document.removeEventListener("copy", write, { capture: true });
    selected.remove();
    selection.removeAllRanges();
    for (const range of before) selection.addRange(range);
  }
}
