import { isSensitive, type MappingField, type Setting } from "@/lib/contract/manifest";
import type { PreviewedRoute } from "../preview/previewed-app";

/** Text as a string literal of plain ASCII: what turns or hides text, and what ends a line, is written out. */

/** Of JavaScript, Java and C# alike. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
}

/** Python counts characters, not UTF-16 units. */
export function pythonLiteral(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** Lines that are there, joined; `false` leaves one out. */
export function linesOf(...lines: (string | false)[]): string {
  return `${lines.filter((line) => line !== false).join("\n")}\n`;
}

/** What of a manifest the snippets speak of. */

export interface SnippetFacts {
  /** Where the platform posts to. */
  path: string;
  /** A setting's name; undefined when the app has none. */
  setting: string | undefined;
  mappingField: string | undefined;
  /** Whether lifecycle hooks are called. */
  hooks: boolean;
}

interface DeclaredApp {
  settings: readonly Setting[];
  mappingFields: readonly MappingField[];
  routes: readonly PreviewedRoute[];
}

/** The first of each; of settings one that is no secret, where there is one. */
export function snippetFacts({ settings, mappingFields, routes }: DeclaredApp): SnippetFacts {
  const setting = settings.find((each) => !isSensitive(each)) ?? settings[0];
  return {
    path: routes.find(({ kind }) => kind !== "lifecycle")?.path ?? "/autofill",
    setting: setting?.name,
    mappingField: mappingFields[0]?.name,
    hooks: routes.some(({ kind }) => kind === "lifecycle"),
  };
}
