"use client";

import { CopyCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { MappingField } from "@/lib/contract/manifest";
import { copyPaths } from "@/lib/domain/mapping/check-path";
import { pathIn, withPaths, type ChangeDraft, type LaunchDraft } from "./launch-draft";
import { pointerTo } from "@/lib/contract/pointer";
import type { LaunchProduct, LaunchTenant } from "./launch-offer";

interface CopyToOthersProps {
  draft: LaunchDraft;
  tenant: LaunchTenant;
  product: LaunchProduct;
  fields: readonly MappingField[];
  onChange: ChangeDraft;
}

/** Tenants have dozens of products that are alike: what one is mapped to does for the others that have it too. */
export function CopyToOthers({ draft, tenant, product, fields, onChange }: CopyToOthersProps) {
  const [outcome, setOutcome] = useState<{ copied: number; without: string[] }>();
  const pathOf = (name: string, field: MappingField) => pathIn(draft, tenant.id, name, field).trim();
  const isMapped = ({ name }: LaunchProduct) => fields.some((field) => pathOf(name, field) !== "");
  const unmapped = tenant.products.filter((other) => !isMapped(other));
  const copy = () => {
    const paths = Object.fromEntries(fields.map((field) => [field.name, pathOf(product.name, field)]));
    const results = unmapped.map((other) => ({
      name: other.name,
      ...copyPaths(paths, other.schema, fields),
    }));
    const answers = results.flatMap(({ name, paths: found }) =>
      Object.entries(found).map(([field, path]) => [[tenant.id, name, field], path] as const),
    );
    onChange((before) => withPaths(before, answers), pointerTo("mappings"));
    setOutcome({
      copied: results.filter(({ missing }) => missing.length === 0).length,
      without: results.filter(({ missing }) => missing.length > 0).map(({ name }) => name),
    });
  };
  return (
    <>
      {unmapped.length > 0 && isMapped(product) && (
        <Button size="small" className="self-start" onPress={copy}>
          <CopyCheck aria-hidden className="size-4" />
          Copy to {unmapped.length === 1 ? unmapped[0]?.name : `${unmapped.length} other products`}
        </Button>
      )}
      {outcome !== undefined && <Outcome {...outcome} />}
    </>
  );
}

const NAMED = 10;

function Outcome({ copied, without }: { copied: number; without: string[] }) {
  const title =
    copied === 0
      ? "Only copied in part"
      : `Copied in full to ${copied} ${copied === 1 ? "product" : "products"}`;
  const rest = without.length - NAMED;
  return (
    <Notice tone={without.length === 0 ? "success" : "warning"} title={title}>
      {without.length > 0 &&
        `These have only some of the paths, or none, in their schemas; map the rest there: ${without.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`}
    </Notice>
  );
}
