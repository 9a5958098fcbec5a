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

/** In base64 and hex. */
export function listEncodedForms(value: string): SecretForm[] {
  return listBytes(value).flatMap((bytes) => {
    const padded = Buffer.concat([Buffer.alloc(2), bytes]);
    return [
      ...hexForms(bytes),
      ...[0, 1, 2].flatMap((before) => encodeBase64At(padded.subarray(2 - before), before)),
    ];
  });
}

export function listHexForms(value: string): SecretForm[] {
  return listBytes(value).flatMap(hexForms);
}

/** In UTF-8, and in UTF-16 as Windows writes it. */
function listBytes(value: string): Buffer[] {
  return listSpellings(value).flatMap((text) => [Buffer.from(text, "utf8"), Buffer.from(text, "utf16le")]);
}

/** As it is, and within the JSON and the URLs that libraries write: what is in base64 or hex is not decoded before it is searched. */
function listSpellings(value: string): string[] {
  const escape = (text: string, units: RegExp) =>
    text.replace(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const escapeUpper = (text: string, units: RegExp) =>
    text.replace(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
  const json = JSON.stringify(value).slice(1, -1);
  const withoutQuotes = json.replaceAll(/\\(["\\])/g, (pair, next) => (next === '"' ? "\\u0022" : pair));
  const ascii = escape(json, NOT_ASCII);
  const form = new URLSearchParams({ q: value }).toString().slice(2);
  return [
    ...new Set([
      value,
      json,
      // Python and Perl; PHP.
      ascii,
      ascii.replaceAll("/", "\\/"),
      escapeUpper(escape(withoutQuotes, NOT_ASCII), /[<>&']/g).replaceAll("/", "\\/"),
      // Go and Ruby; Gson; .NET.
      escape(json, /[<>&\u2028\u2029]/g),
      escape(json, /[<>&='\u2028\u2029]/g),
      escapeUpper(withoutQuotes, /[<>&'+`]|[^\0-\x7f]/g),
      form,
      form.replaceAll("+", "%20"),
      // encodeURIComponent leaves more as it is.
      form.replaceAll("+", "%20").replaceAll(/%(?:21|27|28|29|7E)/g, decodeURIComponent),
    ]),
  ];
}

const NOT_ASCII = /[^\0-\x7f]/g;

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
