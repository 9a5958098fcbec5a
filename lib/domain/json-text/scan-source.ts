/** Scans a text before it is parsed: parsers may recurse, so 10,000 levels must not reach them. */
import { endOfString } from "./json-source";

export interface ScannedSource {
  /** The deepest level reached. */
  depth: number;
  /** Colons outside strings. In valid JSON, the number of members of all objects together. */
  colons: number;
}

/** Exact for valid JSON; only an estimate for other texts, whose strings may not end. */
export function scanSource(text: string): ScannedSource {
  let level = 0;
  let depth = 0;
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfString(text, at) - 1;
    else if (code === 123 || code === 91) {
      level += 1;
      if (level > depth) depth = level;
    } else if (code === 125 || code === 93) level -= 1;
    else if (code === 58) colons += 1;
  }
  return { depth, colons };
}

/**
 * Offset of the first bracket that opens a level deeper than `limit`, if any. Works for any text: an unclosed string
 * ends with its line.
 */
export function tooDeepAt(text: string, limit: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 92) at += 1;
      else if (code === 34 || code === 10) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > limit) return at;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return undefined;
}
