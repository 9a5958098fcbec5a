/** The forms in which an app may write a value: as it is, in base64 and in hex. decode-text.ts undoes all other encodings. */
import { decode } from "./decode-text";

/** A value that must not be stored or shown, and its setting. */
export interface Secret {
  name: string;
  value: string;
}

export interface SecretForm {
  text: string;
  /** In base64, the characters before and after the form may contain some of the value's bits. */
  hasEdges: boolean;
  /** Only if the original text has this letter, of what looks like a line break, before it, and what may start an escape after it. */
  within?: { before: string; introducerAfter: boolean };
}

/** Shorter lines of a value, such as "}", reveal nothing. */
const SHORTEST_LINE = 16;

/**
 * Shorter values occur in any text by chance. Removing them would garble unrelated words, and the gaps would reveal the
 * value: "eu" can be guessed from "n[…]tral".
 */
export const SHORTEST_PART = 6;

/** A value that looks like escapes becomes shorter when it is decoded. */
const SHORTEST_DECODED = 4;

/** In a text as it is. No form is shorter than the value or its shortest line. */
export function listForms(value: string): SecretForm[] {
  return [toForm(value), ...listEncodedForms(value), ...listLines(value)];
}

/** In a decoded text. */
export function listDecodedForms(value: string): SecretForm[] {
  const written = [value, ...linesOf(value)].flatMap(listWrittenForms);
  return [...written, ...listEncodedForms(value)];
}

const toForm = (text: string): SecretForm => ({ text, hasEdges: false });

/** Decoded, with what only its surroundings decide. */
function listWrittenForms(value: string): SecretForm[] {
  const decoded = decode(value);
  // Forms write a space as a plus.
  const texts = new Set([decoded, ...(value.includes(" ") ? [decode(value.replaceAll(" ", "+"))] : [])]);
  // What follows the value may make an escape of its end, and a backslash before it makes a line break of its first letter.
  const introducerAfter = /[\\%&]$/.test(value);
  const before = /^[nr]?/.exec(value)?.[0] ?? "";
  const forms = [...texts].flatMap((text): SecretForm[] => {
    const inner = text.replace(/[%&]+$/, "");
    return [
      introducerAfter ? { ...toForm(inner), within: { before: "", introducerAfter } } : toForm(text),
      ...(inner === text ? [] : [toForm(text)]),
      ...(before === "" ? [] : [{ ...toForm(inner.slice(1)), within: { before, introducerAfter } }]),
    ];
  });
  return forms.filter(({ text }) => text.length >= SHORTEST_DECODED || text === value);
}

/** In base64 and hex, of UTF-8, and of UTF-16 as Windows writes it. */
export function listEncodedForms(value: string): SecretForm[] {
  return [Buffer.from(value, "utf8"), Buffer.from(value, "utf16le")].flatMap((bytes) => {
    const padded = Buffer.concat([Buffer.alloc(2), bytes]);
    return [
      ...hexForms(bytes),
      ...[0, 1, 2].flatMap((before) => encodeBase64At(padded.subarray(2 - before), before)),
    ];
  });
}

/** Of UTF-8 and UTF-16. */
export function listHexForms(value: string): SecretForm[] {
  return [...hexForms(Buffer.from(value, "utf8")), ...hexForms(Buffer.from(value, "utf16le"))];
}

function hexForms(bytes: Buffer): SecretForm[] {
  const hex = bytes.toString("hex");
  return [...new Set([hex, hex.toUpperCase()])].map(toForm);
}

/** The lines of a value, such as a PEM key, which a log may show one by one. */
export function listLines(value: string): SecretForm[] {
  return linesOf(value).map(toForm);
}

function linesOf(value: string): string[] {
  return value.includes("\n") ? value.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE) : [];
}

/** `padded`: the value after `before` bytes of something else (modulo 3). */
function encodeBase64At(padded: Buffer, before: number): SecretForm[] {
  const encoded = padded.toString("base64");
  const whole = encoded.slice(Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6));
  const hasEdges = before > 0 || padded.length % 3 > 0;
  const texts = new Set([whole, whole.replaceAll("+", "-").replaceAll("/", "_")]);
  return [...texts].map((text) => ({ text, hasEdges }));
}
