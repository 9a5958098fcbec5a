/** Puts the source of an object or a list together again from its children's. */
import { placeAt, writeJson, writeKey, type JsonPlace } from "./json-layout";
import type { JsonChild, JsonContainer } from "./json-source";

/** A child of the new source: in the place of an old one, or in none. */
export interface Piece {
  text: string;
  slot?: number;
}

/** Where each child is written. Told from what stands before it, since a line may be as long as the text. */
export function placesOf(source: string, { children }: JsonContainer, around: JsonPlace): JsonPlace[] {
  let { indent } = around;
  return children.map(({ from }, index) => {
    const before = children[index - 1];
    const since = source.slice(before?.from ?? 0, from);
    const line = since.lastIndexOf("\n") + 1;
    if (line > 0) indent = /^[ \t]*/.exec(since.slice(line))?.[0] ?? "";
    const gap = source.slice(before?.end ?? 0, from);
    return { layout: around.layout, indent, flat: !gap.includes("\n") };
  });
}

/** Writes new members or items next to the child at `index`: on one line where that is. */
export function childWriter(
  source: string,
  { kind, children }: JsonContainer,
  index: number,
  place: JsonPlace,
): (part: string | number, value: unknown) => Piece {
  const neighbour = children[Math.min(index, children.length - 1)];
  const inner =
    neighbour === undefined
      ? { ...place, indent: place.indent + place.layout.unit }
      : placeAt(source, neighbour.from, place);
  const isLike = neighbour !== undefined && kind === "array" && "[{".includes(source[neighbour.start] ?? "");
  const expanded = isLike ? source.slice(neighbour.start, neighbour.end).includes("\n") : !inner.flat;
  return (part, value) => {
    const key = typeof part === "string" ? writeKey(part, place.layout) : "";
    return { text: key + writeJson(value, inner, expanded) };
  };
}

/** The source with one child more, before the one at `index`. */
export function addChild(
  source: string,
  container: JsonContainer,
  index: number,
  part: string | number,
  value: unknown,
  place: JsonPlace,
): string {
  const pieces: Piece[] = piecesOf(source, container);
  pieces.splice(index, 0, childWriter(source, container, index, place)(part, value));
  return assemble(source, container, pieces, place);
}

export function piecesOf(source: string, { children }: JsonContainer) {
  return children.map(({ from, end }, slot) => ({ slot, text: source.slice(from, end) }));
}

/** A container's source with other children: those in old places keep what stood between them. */
export function assemble(
  source: string,
  container: JsonContainer,
  pieces: readonly Piece[],
  place: JsonPlace,
): string {
  const { children } = container;
  const [first, last] = [children[0], children.at(-1)];
  if (pieces.length === 0) return `${source[0] ?? ""}${source.at(-1) ?? ""}`;
  if (first === undefined || last === undefined) return fill(source, container, pieces, place);
  const gap = gapOf(source, children, place);
  let result = source.slice(0, first.from);
  pieces.forEach(({ text, slot = 0 }, index) => {
    const [before, child] = [children[slot - 1], children[slot]];
    const between = before === undefined || child === undefined ? gap : source.slice(before.end, child.from);
    result += index === 0 ? text : between + text;
  });
  return result + source.slice(last.end);
}

/** What was empty. */
function fill(source: string, { kind }: JsonContainer, pieces: readonly Piece[], place: JsonPlace): string {
  const { layout, indent, flat } = place;
  const texts = pieces.map(({ text }) => text);
  const [opening, closing] = [source[0] ?? "", source.at(-1) ?? ""];
  if (flat || (kind === "array" && texts.every((text) => /^[^[{]/.test(text)))) {
    const padding = kind === "object" ? layout.padding : "";
    return `${opening}${padding}${texts.join(`,${layout.space}`)}${padding}${closing}`;
  }
  const deeper = layout.eol + indent + layout.unit;
  return opening + deeper + texts.join(`,${deeper}`) + layout.eol + indent + closing;
}

/** What stands between two children here. */
function gapOf(source: string, children: readonly JsonChild[], { layout }: JsonPlace): string {
  const [one, other] = children.slice(-2);
  if (one === undefined) return ",";
  const lead =
    other === undefined
      ? source.slice(1, one.from)
      : source.slice(one.end, other.from).replace(/^[^,]*,/, "");
  const line = lead.lastIndexOf("\n");
  if (line >= 0) return `,${layout.eol}${lead.slice(line + 1)}`;
  return `,${other === undefined ? layout.space : lead}`;
}
