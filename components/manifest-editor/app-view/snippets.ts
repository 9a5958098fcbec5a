/** Complete apps that read their state: each answers `/health` and one route. */
import { csharpSnippet } from "./csharp-snippet";
import { javaSnippet } from "./java-snippet";
import { nodeSnippet } from "./node-snippet";
import { pythonSnippet } from "./python-snippet";
import type { SnippetFacts } from "./snippet-text";

export interface Snippet {
  id: "node" | "python" | "java" | "csharp";
  language: string;
  code: string;
}

export function createSnippets(facts: SnippetFacts): Snippet[] {
  return [
    { id: "node", language: "Node", code: nodeSnippet(facts) },
    { id: "python", language: "Python", code: pythonSnippet(facts) },
    { id: "java", language: "Java", code: javaSnippet(facts) },
    { id: "csharp", language: "C#", code: csharpSnippet(facts) },
  ];
}
