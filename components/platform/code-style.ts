/** CodeMirror's theme: the page's color tokens, which cover light and dark, and the nonce that the CSP requires. */
import { json } from "@codemirror/lang-json";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent-text)" },
  { tag: tags.string, color: "var(--success)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warning)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--ink-faint)" },
]);

/** The strongest tint on which every text color keeps a contrast of 4.5:1 in both themes. */
function mixed(tone: "danger" | "success" | "warning"): string {
  return `color-mix(in srgb, var(--${tone}-line) 40%, var(--${tone}-soft))`;
}

const CONTROL = {
  height: "1.75rem",
  padding: "0 8px",
  margin: "0",
  border: "1px solid var(--line-strong)",
  borderRadius: "6px",
  background: "var(--surface)",
  color: "var(--ink)",
  fontSize: "0.8125rem",
  fontFamily: "inherit",
};

const panels = {
  ".cm-panels": { backgroundColor: "var(--subtle)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "6px",
    padding: "0.5rem 2.5rem 0.5rem 0.5rem",
    fontFamily: "inherit",
  },
  ".cm-panel.cm-search br": { display: "none" },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "4px",
    minHeight: "1.5rem",
    fontSize: "0.8125rem",
    color: "var(--ink-soft)",
  },
  ".cm-panel.cm-search input[type=checkbox]": { width: "1rem", height: "1rem", margin: "0 2px" },
  ".cm-panel.cm-search .cm-textfield": { ...CONTROL, flex: "1 1 10rem", minWidth: "0" },
  ".cm-panel.cm-search .cm-button": {
    ...CONTROL,
    backgroundImage: "none",
    borderColor: "var(--line)",
    cursor: "pointer",
  },
  ".cm-panel.cm-search .cm-button:hover": { background: "var(--hover)" },
  ".cm-panel.cm-search button[name=close], .cm-panel.cm-panel-lint button[name=close]": {
    position: "absolute",
    top: "8px",
    right: "8px",
    width: "1.75rem",
    height: "1.75rem",
    borderRadius: "6px",
    color: "var(--ink-soft)",
    fontSize: "1rem",
    cursor: "pointer",
  },
  ".cm-panel button[name=close]:hover": { background: "var(--hover)" },
  ".cm-searchMatch": { backgroundColor: "var(--warning-soft)", outline: "1px solid var(--warning-line)" },
  ".cm-searchMatch.cm-searchMatch-selected": {
    backgroundColor: mixed("warning"),
    outline: "1px solid var(--warning)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "10px",
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    boxShadow: "var(--high)",
    overflow: "hidden",
  },
};

const problems = {
  ".cm-lintRange": { backgroundImage: "none", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--danger)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warning)" },
  ".cm-lintRange-active": { backgroundColor: "var(--danger-soft)" },
  ".cm-lintPoint::after": { borderBottomColor: "var(--danger)" },
  ".cm-lintPoint-warning::after": { borderBottomColor: "var(--warning)" },
  ".cm-gutter-lint": { width: "0.875rem" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-lint-marker": { width: "0.5rem", height: "0.5rem", margin: "0.375rem 3px", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: "normal", background: "var(--danger)" },
  ".cm-lint-marker-warning": { content: "normal", background: "var(--warning)", borderRadius: "1px" },
  ".cm-diagnostic": {
    maxWidth: "min(26.25rem, 80vw)",
    padding: "8px 12px",
    margin: "0",
    borderLeft: "3px solid var(--danger)",
    fontFamily: '"Geist Variable", ui-sans-serif, system-ui, sans-serif',
    fontSize: "0.8125rem",
    lineHeight: "1.25rem",
    whiteSpace: "normal",
    overflowWrap: "anywhere",
  },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnostic .cm-hint": { display: "block", color: "var(--ink-faint)" },
  ".cm-panel.cm-panel-lint ul": { maxHeight: "8.75rem" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: "var(--hover)" },
  ".cm-panel.cm-panel-lint ul:focus [aria-selected]": { background: "var(--hover)", color: "var(--ink)" },
};

const differences = {
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--danger-soft)" },
  "&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine": { backgroundColor: "var(--success-soft)" },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: mixed("danger"),
    boxShadow: "inset 0 -2px var(--danger-line)",
  },
  "&.cm-merge-b .cm-changedText": {
    background: mixed("success"),
    boxShadow: "inset 0 -2px var(--success-line)",
  },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--danger)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--success)" },
  ".cm-collapsedLines": {
    padding: "6px 12px",
    background: "var(--subtle)",
    color: "var(--ink-faint)",
    fontSize: "0.75rem",
    "&:before": { content: '"\\2195"', marginInlineEnd: "8px" },
    "&:after": { content: "none" },
  },
};

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "0.8125rem" },
  // The box around the editor shows the focus; the gutters would cover an outline here.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: '"Geist Mono Variable", ui-monospace, monospace', lineHeight: "1.25rem" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--ink-faint)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 10px", minWidth: "2.25rem" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent-text)",
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--danger-soft)" },
  ".cm-specialChar": { color: "var(--danger)" },
  ".cm-specialChar.cm-lineEnd": { color: "var(--ink-faint)", fontSize: "0.5625rem" },
  ...panels,
  ...problems,
  ...differences,
});

export function codeStyle(): Extension {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return [EditorView.cspNonce.of(meta?.nonce ?? ""), json(), syntaxHighlighting(highlighting), theme];
}

const CARRIAGE_RETURN = 13;

/** Shows a sign in place of invisible characters and those that change the text direction. */
export function visibleCharacters(): Extension {
  return highlightSpecialChars({
    render: (code, description) => {
      const isLineEnd = code === CARRIAGE_RETURN;
      const label = isLineEnd ? "carriage return" : (description ?? `character U+${code.toString(16)}`);
      const sign = document.createElement("span");
      sign.className = isLineEnd ? "cm-specialChar cm-lineEnd" : "cm-specialChar";
      // Letters, because fonts rarely have the symbols for control characters.
      sign.textContent = isLineEnd ? "CR" : "\u2022";
      sign.title = label;
      sign.setAttribute("role", "img");
      sign.setAttribute("aria-label", label);
      return sign;
    },
  });
}
