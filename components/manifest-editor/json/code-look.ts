/** How CodeMirror looks here: the page's own colours, so that both themes are one, and the page's nonce on its styles. */
import { json } from "@codemirror/lang-json";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { merging, panels, problems } from "./code-look-parts";

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent-text)" },
  { tag: tags.string, color: "var(--success)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warning)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--ink-faint)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "13px" },
  // The box around the whole editor shows the focus: an outline in here would be covered by the gutters.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: '"Geist Mono Variable", ui-monospace, monospace', lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--ink-faint)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 10px", minWidth: "36px" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent-text)",
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--danger-soft)" },
  ".cm-specialChar": { color: "var(--danger)" },
  ".cm-specialChar.cm-lineEnd": { color: "var(--ink-faint)", fontSize: "9px" },
  ...panels,
  ...problems,
  ...merging,
});

/** For every editor: JSON, its colours, and the nonce without which the page's policy refuses the styles. */
export function codeLook(): Extension {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return [EditorView.cspNonce.of(meta?.nonce ?? ""), json(), syntaxHighlighting(highlighting), look];
}
