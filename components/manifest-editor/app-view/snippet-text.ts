/** What the snippets mention of a manifest, and how names become string literals in them. */
import type { MappingField, Setting } from "@/lib/contract/manifest";
import { isSensitive } from "@/lib/contract/manifest-terms";
import type { PreviewedRoute } from "../preview/previewed-app";

export interface SnippetFacts {
  /** The path that the platform calls. */
  path: string;
  /** Undefined when the app has no settings. */
  setting: string | undefined;
  mappingField: string | undefined;
  /** The platform calls lifecycle hooks. */
  hooks: boolean;
}

interface DeclaredApp {
  settings: readonly Setting[];
  mappingFields: readonly MappingField[];
  routes: readonly PreviewedRoute[];
}

/** The first of each, preferring a setting that isn't sensitive. */
export function snippetFacts({ settings, mappingFields, routes }: DeclaredApp): SnippetFacts {
  const setting = settings.find((each) => !isSensitive(each)) ?? settings[0];
  return {
    path: routes.find(({ kind }) => kind !== "lifecycle" && kind !== "endpoint")?.path ?? "/autofill",
    setting: setting?.name,
    mappingField: mappingFields[0]?.name,
    hooks: routes.some(({ kind }) => kind === "lifecycle"),
  };
}

/** For JavaScript, Java and C#: one line of ASCII, so that no character can hide or reorder code. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
}

/** Python escapes code points rather than UTF-16 units. */
export function pythonLiteral(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** Leaves out lines that are `false`. */
export function joinLines(...lines: (string | false)[]): string {
  return `${lines.filter((line) => line !== false).join("\n")}\n`;
}
