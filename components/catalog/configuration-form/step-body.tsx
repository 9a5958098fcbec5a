"use client";

import { CopyCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { copyPaths } from "@/lib/domain/catalog/mapping/check-path";
import { useSheet } from "./answer-form";
import { CheckStrip } from "./configuration-check";
import { isMapped, type MappedProduct, readPaths, toChanges } from "./copy-mapping";
import { MappingFields } from "./mapping-fields";
import { NamesSwitch } from "./names-shown";
import { ReviewStep } from "./review-step";
import { SettingRows } from "./setting-rows";
import { useWizard } from "./wizard";

/** What every launch asks after the tenant: settings, one mapping per product, and a review. */
export function StepBody() {
  const { offer, steps, current, check } = useWizard();
  const step = steps[current];
  if (step === undefined || step.id === "tenant") return null;
  if (step.id === "review") return <ReviewStep />;
  if (!("product" in step))
    return (
      <>
        <StepLead>
          Fields are required unless marked optional. The app doesn&apos;t receive the ones you leave empty.
        </StepLead>
        <SettingRows settings={offer.settings} />
        {check !== undefined && <CheckStrip {...check} className="border-t border-line pt-5" />}
      </>
    );
  return (
    <>
      <StepLead>
        Choose where {step.product.name} stores the data that the app works on. The app receives these paths
        with every call. Fields are required unless marked optional.
      </StepLead>
      <MappingFields key={step.product.name} product={step.product} fields={offer.mappingFields} />
      <CopyToOthers key={`copy ${step.product.name}`} product={step.product} />
    </>
  );
}

function StepLead({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <p className="min-w-0 flex-1 basis-64 text-ink-soft">{children}</p>
      <NamesSwitch />
    </div>
  );
}

/** Tenants have dozens of similar products: copies this product's paths to those that are not mapped yet. */
function CopyToOthers({ product }: { product: MappedProduct }) {
  const { sheet, changeAll } = useSheet();
  const [outcome, setOutcome] = useState<{ copied: number; incomplete: string[] }>();
  const { mappingFields: fields, products } = sheet.form;
  const unmapped = products.filter(({ name }) => !isMapped(sheet, name, fields));
  const copy = () => {
    const paths = readPaths(sheet, product.name, fields);
    const results = unmapped.map(({ name, schema }) => ({ name, ...copyPaths(paths, schema, fields) }));
    changeAll(results.flatMap((result) => toChanges(result.name, result.paths)));
    setOutcome({
      copied: results.filter(({ missing }) => missing.length === 0).length,
      incomplete: results.filter(({ missing }) => missing.length > 0).map(({ name }) => name),
    });
  };
  return (
    <>
      {unmapped.length > 0 && isMapped(sheet, product.name, fields) && (
        <Button size="small" className="self-start" onPress={copy}>
          <CopyCheck aria-hidden className="size-4" />
          Copy to {unmapped.length === 1 ? unmapped[0]?.name : `${unmapped.length} other products`}
        </Button>
      )}
      {outcome !== undefined && <CopiedToNotice {...outcome} />}
    </>
  );
}

const NAMED = 10;

function CopiedToNotice({ copied, incomplete }: { copied: number; incomplete: string[] }) {
  const title =
    copied === 0 ? "Partly copied" : `Copied to ${copied} ${copied === 1 ? "product" : "products"}`;
  const rest = incomplete.length - NAMED;
  return (
    <Notice tone={incomplete.length === 0 ? "success" : "warning"} title={title}>
      {incomplete.length > 0 &&
        `The schemas of these products have only some of the paths, or none: ${incomplete.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}. Map the rest there.`}
    </Notice>
  );
}
