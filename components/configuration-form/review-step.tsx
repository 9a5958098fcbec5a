import { isSensitive } from "@/lib/contract/manifest";
import { pathIn, type LaunchDraft, type LaunchOffer, type LaunchTenant } from "./launch-draft";

interface ReviewStepProps {
  offer: LaunchOffer;
  draft: LaunchDraft;
  tenant: LaunchTenant;
}

/** Everything that will be sent, but for secrets. */
export function ReviewStep({ offer, draft, tenant }: ReviewStepProps) {
  return (
    <div className="flex flex-col gap-6">
      <Facts
        title="Launch"
        rows={[
          ["App", `${offer.title} ${offer.number}`],
          ["Tenant", `${tenant.name} (${tenant.hostName})`],
        ]}
      />
      {offer.settings.length > 0 && (
        <Facts
          title="Configuration"
          rows={offer.settings.map((setting) => [
            setting.title,
            shownValue(setting, draft.settings.get(setting.name)),
          ])}
        />
      )}
      {offer.mappingFields.length > 0 &&
        tenant.products.map((product) => (
          <Facts
            key={product.name}
            title={product.name}
            mono
            rows={offer.mappingFields.map((field) => [
              field.title,
              pathIn(draft, tenant.id, product, field) || "Skipped",
            ])}
          />
        ))}
    </div>
  );
}

function shownValue(setting: LaunchOffer["settings"][number], value: string | undefined): string {
  if (value === undefined) return "Skipped";
  if (isSensitive(setting)) return "Set, and hidden from now on";
  return setting.values?.find((item) => item.value === value)?.text ?? value;
}

function Facts({ title, rows, mono = false }: { title: string; rows: [string, string][]; mono?: boolean }) {
  return (
    <section>
      <h3 className="mb-2 text-[13px] font-medium text-ink">{title}</h3>
      <dl className="divide-y divide-line rounded-field border border-line">
        {rows.map(([name, value]) => (
          <div key={name} className="flex flex-col gap-x-6 gap-y-0.5 px-4 py-2.5 sm:flex-row">
            <dt className="shrink-0 text-[13px] text-ink-faint sm:w-48">{name}</dt>
            <dd
              className={`min-w-0 break-words text-ink ${mono && value !== "Skipped" ? "font-mono text-[13px]" : ""}`}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
