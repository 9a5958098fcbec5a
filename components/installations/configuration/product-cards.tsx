"use client";

import { useSheet } from "@/components/catalog/configuration-form/answer-form";
import { MappingFields } from "@/components/catalog/configuration-form/mapping-fields";
import { NamesSwitch } from "@/components/catalog/configuration-form/names-shown";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import { mappingPointer } from "@/lib/domain/catalog/mapping/check-mappings";
import type { PathNotes } from "@/lib/domain/catalog/mapping/check-path";

interface ProductCardsProps {
  configuration: ConfigurationView;
  notes: PathNotes;
}

/** A card for each product of the tenant: where it stores the data that the app works on. */
export function ProductCards({ configuration, notes }: ProductCardsProps) {
  const { declared, products, mappingFields, tenantName } = configuration;
  if (mappingFields.length === 0) return null;
  if (products.length === 0)
    return (
      <Notice title="No products to map">
        The core listed no products for {tenantName}. Refresh them on the tenant&apos;s page.
      </Notice>
    );
  return products.map((product, index) => (
    <Card
      key={product.name}
      actions={declared.length === 0 && index === 0 ? <NamesSwitch /> : undefined}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="break-words">{product.name}</span>
          {product.changedSinceMapped && <Badge tone="warning">Schema changed</Badge>}
        </span>
      }
      description="Where this product stores the data that the app works on."
    >
      <MappingFields
        product={product}
        fields={mappingFields}
        notes={notes[product.name]}
        confirm={product.changedSinceMapped && <KeepMapping productName={product.name} />}
      />
    </Card>
  ));
}

/** For a product whose schema changed: keeps its mapping unchanged. */
function KeepMapping({ productName }: { productName: string }) {
  const { sheet, change } = useSheet();
  const pointer = mappingPointer(productName);
  if (sheet.changedPaths(productName).length > 0)
    return <p className="text-small leading-5 text-ink-soft">Saving keeps the other paths.</p>;
  if (!sheet.isMappingKept(productName))
    return (
      <Button
        size="small"
        onPress={() => change(pointer, { action: "keep" })}
        aria-label={`Keep this mapping of ${productName}`}
      >
        Keep this mapping
      </Button>
    );
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-small leading-5 text-ink-soft">
      <span className="min-w-0">Saving keeps this mapping.</span>
      <Button size="tiny" tone="quiet" className="-my-1" onPress={() => change(pointer, undefined)}>
        Undo
      </Button>
    </p>
  );
}
