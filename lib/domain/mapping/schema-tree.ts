/** A product's JSON Schema as a tree of the places in its data, for picking one. */
import { pathTo, type Step } from "./json-path";
import { partsOf, placeOfAll, type Place, type SchemaParts } from "./schema-parts";

export interface SchemaNode {
  /** The member's name, or `[0]` for the first element of a list. */
  name: string;
  path: string;
  /** JSON Schema's type, in words; empty where the schema names none. */
  type: string;
  title?: string;
  description?: string;
  /** Always there where the place around it is. */
  required: boolean;
  children: SchemaNode[];
}

export interface SchemaPath {
  path: string;
  /** JSON Schema's type, in words; empty where the schema names none. */
  type: string;
  title?: string;
}

const DEPTH = 12;
const NODES = 2000;
/** No mapping can have a longer one. */
const PATH = 500;

interface Child {
  step: Step;
  place: Place;
  required: boolean;
}

interface Waiting {
  into: SchemaNode[];
  steps: readonly Step[];
  parts: SchemaParts;
}

/** The places that a schema describes, the shallow ones first when there are too many. Lists show their first element. */
export function schemaTree(schema: unknown): SchemaNode[] {
  const top: SchemaNode[] = [];
  const waiting: Waiting[] = [{ into: top, steps: [], parts: partsOf(schema, placeOfAll(schema)) }];
  let count = 0;
  for (const { into, steps, parts } of waiting) {
    for (const { step, place, required } of childrenOf(parts)) {
      if (count >= NODES) return top;
      const at = [...steps, step];
      const child = partsOf(schema, place);
      const node = nodeAt(at, child, required);
      if (node === undefined) continue;
      into.push(node);
      count += 1;
      if (at.length < DEPTH) waiting.push({ into: node.children, steps: at, parts: child });
    }
  }
  return top;
}

function childrenOf({ properties, required, positions, items }: SchemaParts): Child[] {
  const members = [...properties].map(([step, place]) => ({ step, place, required: required.has(step) }));
  if (positions.length > 0)
    return [...members, ...positions.map((place, step) => ({ step, place, required: false }))];
  return items === undefined || items === false
    ? members
    : [...members, { step: 0, place: items, required: false }];
}

function nodeAt(steps: readonly Step[], parts: SchemaParts, required: boolean): SchemaNode | undefined {
  const path = pathTo(steps);
  const step = steps.at(-1);
  if (path === undefined || path.length > PATH || step === undefined) return undefined;
  const { type, title, description } = parts;
  const name = typeof step === "number" ? `[${step}]` : step;
  return {
    name,
    path,
    type,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    required,
    children: [],
  };
}

/** The nodes of which a name, title, path or description has all the words, with what is around and below them. */
export function searchTree(nodes: readonly SchemaNode[], text: string): SchemaNode[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...nodes];
  return nodes.flatMap((node) => {
    const said = [node.name, node.title, node.path, node.description].join("\n").toLowerCase();
    if (words.every((word) => said.includes(word))) return [node];
    const children = searchTree(node.children, text);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}

/** The leaves of a product's JSON Schema as paths, for a pick list. */
export function pathsOf(schema: unknown): SchemaPath[] {
  return leavesOf(schemaTree(schema)).map(({ path, type, title }) =>
    title === undefined ? { path, type } : { path, type, title },
  );
}

export function leavesOf(nodes: readonly SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => (node.children.length === 0 ? [node] : leavesOf(node.children)));
}
