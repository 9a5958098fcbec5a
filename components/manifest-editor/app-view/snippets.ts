/** How an app reads its state, in the languages that apps are written in. */
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

/** Each is a whole app: it answers `/health`, and one route from the state that it reads. */
export function snippetsOf(facts: SnippetFacts): Snippet[] {
  return [
    { id: "node", language: "Node", code: nodeSnippet(facts) },
    { id: "python", language: "Python", code: pythonSnippet(facts) },
    { id: "java", language: "Java", code: javaSnippet(facts) },
    { id: "csharp", language: "C#", code: csharpSnippet(facts) },
  ];
}

/** `$KEY` is the key header of the call that the app is serving. */
export const STATE_COMMAND = `curl "$PLATFORM_STATE_API/state/$KEY"`;
