"use client";

import { MappingFields } from "@/components/mapping/mapping-fields";
import { NamesSwitch } from "@/components/configuration-form/names-shown";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import type { Issue } from "@/lib/contract/problem";
import { changedPaths, pathOf, type ConfigurationEdit } from "./configuration-edit";
import { ConfirmMapping } from "./confirm-mapping";

interface ProductCardsProps {
  configuration: Pick<
    ConfigurationView,
    "declared" | "mappingFields" | "settings" | "mappings" | "products" | "tenantName"
  >;
  edit: ConfigurationEdit;
  issues: readonly Issue[];
  onChange: (product: string, field: string, path: string) => void;
  /** A mapping is right as it is, though the product's schema changed. */
  onConfirm: (product: string, isRight: boolean) => void;
}

/** A card for each product of the tenant: where it keeps what the app works on. */
export function ProductCards({ configuration, edit, issues, onChange, onConfirm }: ProductCardsProps) {
  const { declared, products, mappingFields, tenantName } = configuration;
  if (mappingFields.length === 0) return null;
  if (products.length === 0)
    return (
      <Notice title="There are no products to map">
        The core listed none for {tenantName}. Refresh its products on the tenant&apos;s page.
      </Notice>
    );
  return products.map((product, index) => (
    <Card
      key={product.name}
      actions={declared.length === 0 && index === 0 ? <NamesSwitch /> : undefined}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="break-words">{product.name}</span>
          {product.changedSinceMapped && <Badge tone="warning">Changed since you mapped it</Badge>}
        </span>
      }
      description="Where this product keeps what the app works on."
    >
      <MappingFields
        product={product}
        others={products
          .filter(({ name }) => name !== product.name)
          .map(({ name }) => ({
            name,
            pathOf: (field) => pathOf(edit, configuration, name, field.name),
          }))}
        fields={mappingFields}
        pathOf={(field) => pathOf(edit, configuration, product.name, field.name)}
        confirm={
          product.changedSinceMapped && (
            <ConfirmMapping
              productName={product.name}
              isChanged={changedPaths(configuration, edit, product.name).length > 0}
              isConfirmed={edit.confirmed.has(product.name)}
              onConfirm={(isRight) => onConfirm(product.name, isRight)}
            />
          )
        }
        issues={issues}
        onChange={(field, path) => onChange(product.name, field.name, path)}
      />
    </Card>
  ));
}
