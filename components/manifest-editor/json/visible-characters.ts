import type { Extension } from "@codemirror/state";
import { highlightSpecialChars } from "@codemirror/view";

const CARRIAGE_RETURN = 13;

/** Characters that nobody sees, or that turn the text around them, stand as a sign. The text stays as it is. */
export function visibleCharacters(): Extension {
  return highlightSpecialChars({
    render: (code, description) => {
      const isLineEnd = code === CARRIAGE_RETURN;
      const words = isLineEnd ? "carriage return" : (description ?? `character U+${code.toString(16)}`);
      const sign = document.createElement("span");
      sign.className = isLineEnd ? "cm-specialChar cm-lineEnd" : "cm-specialChar";
      // Letters, since fonts seldom have the pictures of control characters.
      sign.textContent = isLineEnd ? "CR" : "\u2022";
      sign.title = words;
      sign.setAttribute("role", "img");
      sign.setAttribute("aria-label", words);
      return sign;
    },
  });
}
