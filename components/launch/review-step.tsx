import { isSensitive } from "@/lib/contract/manifest";
import { checkPath } from "@/lib/domain/mapping/check-path";
import { pathIn, type LaunchDraft } from "./launch-draft";
import { pointerTo } from "@/lib/contract/pointer";
import type { LaunchOffer, LaunchTenant } from "./launch-offer";
import { ReviewFacts, type ReviewFact } from "./review-facts";

interface ReviewStepProps {
  offer: LaunchOffer;
  draft: LaunchDraft;
  tenant: LaunchTenant;
  /** The preview has one that cannot be changed. */
  isTenantAsked: boolean;
  /** The step of an answer, at its field. */
  onOpen: (stepId: string, pointer: string) => void;
}

/** Everything that will be sent, but for secrets, with the way to each. */
export function ReviewStep({ offer, draft, tenant, isTenantAsked, onOpen }: ReviewStepProps) {
  const settings = offer.settings.map((setting): ReviewFact => {
    const shown = shownValue(setting, draft.settings.get(setting.name));
    return { title: setting.title, pointer: pointerTo("settings", setting.name), ...shown };
  });
  return (
    <div className="flex flex-col gap-6">
      <ReviewFacts
        title="Launch"
        facts={[
          { title: "App", shown: `${offer.title} ${offer.number}` },
          {
            title: "Tenant",
            shown: `${tenant.name} (${tenant.hostName})`,
            pointer: isTenantAsked ? "/tenantId" : undefined,
          },
        ]}
        onChange={(pointer) => onOpen("tenant", pointer)}
      />
      {settings.length > 0 && (
        <ReviewFacts
          title="Configuration"
          facts={settings}
          onChange={(pointer) => onOpen("configure", pointer)}
        />
      )}
      {offer.mappingFields.length > 0 &&
        tenant.products.map((product, index) => (
          <ReviewFacts
            key={product.name}
            title={product.name}
            facts={offer.mappingFields.map((field) => {
              const path = pathIn(draft, tenant.id, product.name, field).trim();
              return {
                title: field.title,
                pointer: pointerTo("mappings", product.name, field.name),
                ...(path === "" ? SKIPPED : shownPath(product.schema, path)),
              };
            })}
            onChange={(pointer) => onOpen(`map-${index + 1}`, pointer)}
          />
        ))}
    </div>
  );
}

const SKIPPED = { shown: "Skipped", isFaint: true };

function shownPath(schema: unknown, path: string) {
  const isThere = checkPath(schema, path).verdict !== "not-in-schema";
  return { shown: path, isCode: true, warning: isThere ? undefined : "Not in the product's schema" };
}

function shownValue(setting: LaunchOffer["settings"][number], value: string | undefined) {
  if (value === undefined) return SKIPPED;
  if (isSensitive(setting)) return { shown: "Set, hidden from now on" };
  return { shown: setting.values?.find((item) => item.value === value)?.text ?? value };
}
