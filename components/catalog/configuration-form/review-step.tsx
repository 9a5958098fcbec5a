import { Button } from "react-aria-components";
import { Notice } from "@/components/ui/notice";
import type { MappingField, Setting } from "@/lib/contract/catalog/manifest";
import { isPathField, isSensitive } from "@/lib/contract/platform/manifest-terms";
import { choiceText, settingPointer } from "@/lib/domain/catalog/configuration";
import { mappingPointer } from "@/lib/domain/catalog/mapping/check-mappings";
import { checkPath } from "@/lib/domain/catalog/mapping/check-path";
import { useSheet } from "./answer-form";
import { PublicEndpoints } from "./public-endpoints";
import { RightsList } from "./rights-list";
import { mapStepId, useWizard } from "./wizard";

/** Everything that will be sent except secrets, each with a way to change it. */
export function ReviewStep() {
  const { sheet } = useSheet();
  const { offer, tenant, steps, opensEndpoints, setOpensEndpoints } = useWizard();
  if (tenant === undefined) return null;
  const settings = offer.settings.map((setting): Fact => {
    const isKept = sheet.choices(setting).keep && sheet.answer(setting).action === "keep";
    const shown = showValue(setting, sheet.value(setting), isKept);
    return { title: setting.title, pointer: settingPointer(setting.name), ...shown };
  });
  // The preview has one tenant that cannot be changed.
  const isTenantAsked = steps.some(({ id }) => id === "tenant");
  return (
    <div className="flex flex-col gap-6">
      <Facts
        title="Launch"
        stepId="tenant"
        facts={[
          { title: "App", shown: `${offer.title} ${offer.number}` },
          {
            title: "Tenant",
            shown: `${tenant.name} (${tenant.hostName})`,
            pointer: isTenantAsked ? "/tenantId" : undefined,
          },
        ]}
      />
      {settings.length > 0 && <Facts title="Configuration" stepId="configure" facts={settings} />}
      {offer.mappingFields.length > 0 &&
        tenant.products.map(({ name: product, schema }, index) => (
          <Facts
            key={product}
            title={product}
            stepId={mapStepId(index)}
            facts={offer.mappingFields.map((field) => {
              const { name, title } = field;
              const path = sheet.path(product, name).trim();
              const shown = path === "" ? SKIPPED : showPath(field, schema, path);
              return { title, pointer: mappingPointer(product, name), ...shown };
            })}
          />
        ))}
      <section>
        <h3 className="text-small font-medium text-ink">What this app may do</h3>
        <p className="mb-2 text-small leading-5 text-ink-faint">By launching the app, you agree to this.</p>
        <RightsList rights={offer.rights} enforcement={offer.enforcement} />
        {offer.isolated === false && (
          <Notice tone="warning" title="Not isolated" className="mt-3">
            This app runs as a plain process on the machine of the platform, not in a container. It can read
            and change what the platform can. Use it only for trying things out.
          </Notice>
        )}
      </section>
      {offer.publicEndpoints.length > 0 && (
        <section>
          <h3 className="mb-2 text-small font-medium text-ink">Public endpoints</h3>
          <PublicEndpoints
            endpoints={offer.publicEndpoints}
            opens={opensEndpoints}
            onChange={setOpensEndpoints}
          />
        </section>
      )}
    </div>
  );
}

interface Fact {
  title: string;
  shown: string;
  isCode?: boolean;
  isFaint?: boolean;
  warning?: string;
  /** The field to change it in; without one it cannot be changed. */
  pointer?: string;
}

const SKIPPED = { shown: "Skipped", isFaint: true };

function showPath(field: MappingField, schema: unknown, path: string) {
  const isMissing = isPathField(field) && checkPath(schema, path).result === "not-in-schema";
  return { shown: path, isCode: true, warning: isMissing ? "Not in the product's schema" : undefined };
}

/** `isKept`: from a trial. The value of a secret is not known here. */
function showValue(setting: Setting, value: string | undefined, isKept: boolean) {
  if (value === undefined && isKept) return { shown: "Kept from your trial, and hidden" };
  if (value === undefined) return SKIPPED;
  if (isSensitive(setting)) return { shown: "Set, and hidden from now on" };
  return { shown: choiceText(setting, value) ?? value };
}

interface FactsProps {
  title: string;
  /** The step where the facts are changed. */
  stepId: string;
  facts: readonly Fact[];
}

function Facts({ title, stepId, facts }: FactsProps) {
  const { open } = useWizard();
  return (
    <section>
      <h3 className="mb-2 text-small font-medium break-words text-ink">{title}</h3>
      <dl className="divide-y divide-line rounded-field border border-line">
        {facts.map(({ title: name, shown, isCode, isFaint, warning, pointer }, index) => (
          <div key={index} className="flex flex-col gap-x-6 gap-y-0.5 px-4 py-2 sm:flex-row">
            <dt className="text-small leading-6 break-words text-ink-faint sm:w-48 sm:shrink-0">{name}</dt>
            <dd className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-4 leading-6">
              <span
                translate="no"
                className={`min-w-0 flex-1 basis-40 break-words whitespace-pre-wrap ${isFaint === true ? "text-ink-faint" : "text-ink"} ${isCode === true ? "font-mono text-small wrap-anywhere" : ""}`}
              >
                {shown}
                {warning !== undefined && (
                  <span className="block font-sans text-small text-warning">{warning}</span>
                )}
              </span>
              {pointer !== undefined && (
                <Button
                  aria-label={`Change ${name}`}
                  onPress={() => open(stepId, pointer)}
                  className="-mx-2 h-6 shrink-0 cursor-pointer rounded-field px-2 text-small text-accent-text hover:bg-hover"
                >
                  Change
                </Button>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
