/** What of a manifest the snippets speak of. */
import { isSensitive, type MappingField, type Setting } from "@/lib/contract/manifest";
import type { PreviewedRoute } from "../preview/previewed-app";

export interface SnippetFacts {
  /** Where the platform posts to. */
  path: string;
  /** A setting's name; undefined when the app has none. */
  setting: string | undefined;
  mappingField: string | undefined;
  /** Whether lifecycle hooks are called. */
  hooks: boolean;
}

export interface DeclaredApp {
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
