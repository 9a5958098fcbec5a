import { Fragment, type ReactNode } from "react";

/** A string (with the colon that makes it a key), a number, or a word. Anything else is punctuation or not JSON. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** The same text with the colors of the JSON editors. Parts that are not JSON stay as they are. */
export function JsonTokens({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { 0: whole, 1: string, 2: colon, index } of text.matchAll(TOKENS)) {
    parts.push(text.slice(at, index));
    const color =
      string === undefined ? "text-warning" : colon === undefined ? "text-success" : "text-accent-text";
    parts.push(
      <span key={index} className={color}>
        {string ?? whole}
      </span>,
      colon,
    );
    at = index + whole.length;
  }
  parts.push(text.slice(at));
  return <Fragment>{parts}</Fragment>;
}
