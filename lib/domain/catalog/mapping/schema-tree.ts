/** A product's JSON Schema as a tree, for selecting a field of its data. */
import { hasTypedWords } from "../../platform/text";
import { pathTo, type Step } from "./path-text";
import { type Position, readParts, type SchemaParts, wholeDocument } from "./schema-parts";

export interface SchemaNode {
  /** The member's name, or `[0]` for the first element of a list. */
  name: string;
  path: string;
  /** JSON Schema's type as text; empty if the schema names none. */
  type: string;
  title?: string;
  description?: string;
  /** Always present if its parent is. */
  required: boolean;
  children: SchemaNode[];
}

export interface SchemaPath {
  path: string;
  /** JSON Schema's type as text; empty if the schema names none. */
  type: string;
  title?: string;
}

const DEPTH = 12;
const NODES = 2000;
/** No mapping can have a longer path. */
const PATH = 500;

interface Child {
  step: Step;
  position: Position;
  required: boolean;
}

interface Waiting {
  into: SchemaNode[];
  steps: readonly Step[];
  parts: SchemaParts;
}

/** The fields that a schema describes, shallow ones first if there are too many. Lists show their first element. */
export function schemaTree(schema: unknown): SchemaNode[] {
  const top: SchemaNode[] = [];
  const waiting: Waiting[] = [{ into: top, steps: [], parts: readParts(schema, wholeDocument(schema)) }];
  let count = 0;
  for (const { into, steps, parts } of waiting) {
    for (const { step, position, required } of listChildren(parts)) {
      if (count >= NODES) return top;
      const childSteps = [...steps, step];
      const child = readParts(schema, position);
      const node = createNode(childSteps, child, required);
      if (node === undefined) continue;
      into.push(node);
      count += 1;
      if (childSteps.length < DEPTH) waiting.push({ into: node.children, steps: childSteps, parts: child });
    }
  }
  return top;
}

function listChildren({ properties, required, elements, items }: SchemaParts): Child[] {
  const members = [...properties].map(([step, position]) => ({
    step,
    position,
    required: required.has(step),
  }));
  if (elements.length > 0)
    return [...members, ...elements.map((position, step) => ({ step, position, required: false }))];
  return items === undefined || items === false
    ? members
    : [...members, { step: 0, position: items, required: false }];
}

function createNode(steps: readonly Step[], parts: SchemaParts, required: boolean): SchemaNode | undefined {
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

/** Whether a schema has more fields than its tree. */
export function isCutTree(nodes: readonly SchemaNode[]): boolean {
  const count = (each: readonly SchemaNode[]): number =>
    each.reduce((sum, { children }) => sum + count(children), each.length);
  return count(nodes) >= NODES;
}

/** What a tree that is cut says. */
export const CUT_TREE = `The schema has more fields than the ${NODES.toLocaleString("en-US")} listed here. Deeper ones are left out.`;

/** The nodes whose name, title, path or description has all the words, with their parents and children. */
export function searchTree(nodes: readonly SchemaNode[], text: string): SchemaNode[] {
  if (text.trim() === "") return [...nodes];
  return nodes.flatMap((node) => {
    const searched = [node.name, node.title, node.path, node.description].join("\n");
    if (hasTypedWords(searched, text)) return [node];
    const children = searchTree(node.children, text);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}

/** The leaves of a product's JSON Schema as paths. */
export function listPaths(schema: unknown): SchemaPath[] {
  return listLeaves(schemaTree(schema)).map(({ path, type, title }) =>
    title === undefined ? { path, type } : { path, type, title },
  );
}

export function listLeaves(nodes: readonly SchemaNode[]): SchemaNode[] {
  return nodes.flatMap((node) => (node.children.length === 0 ? [node] : listLeaves(node.children)));
}
