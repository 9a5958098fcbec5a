/** Something plausible for each question that the preview asks. */
import { pathKey, type LaunchDraft } from "@/components/launch/launch-draft";
import type { LaunchOffer, LaunchTenant } from "@/components/launch/launch-offer";
import { isSensitive, type Setting } from "@/lib/contract/manifest";
import { pathsOf } from "@/lib/domain/mapping/schema-tree";
import { guessPath } from "@/lib/domain/mapping/suggest-paths";

/** What is answered already stays. */
export function fillWithExamples(offer: LaunchOffer, tenant: LaunchTenant, draft: LaunchDraft): LaunchDraft {
  const settings = new Map(draft.settings);
  for (const setting of offer.settings) {
    const value = settings.get(setting.name) ?? exampleOf(setting);
    if (value !== undefined) settings.set(setting.name, value);
  }
  const paths = new Map(draft.paths);
  for (const { name, schema } of tenant.products) {
    const places = pathsOf(schema);
    offer.mappingFields.forEach((field, index) => {
      const key = pathKey(tenant.id, name, field.name);
      if ((paths.get(key) ?? "") !== "") return;
      const path = guessPath(field, places) ?? places[index % Math.max(places.length, 1)]?.path;
      if (path !== undefined) paths.set(key, path);
    });
  }
  return { ...draft, settings, paths };
}

function exampleOf(setting: Setting): string | undefined {
  if (setting.type === "Select") return setting.values?.[0]?.value;
  if (isSensitive(setting)) return `example-${setting.name}`;
  if (/url|address|endpoint/i.test(setting.name)) return "https://service.example";
  if (/mail/i.test(setting.name)) return "name@insurer.example";
  if (/factor|rate|percent|count|limit|discount|number|days|hours/i.test(setting.name)) return "1";
  return `Example ${setting.title}`.slice(0, 60);
}
