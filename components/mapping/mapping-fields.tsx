"use client";

import { Sparkles } from "lucide-react";
import { useCallback, useMemo, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { MappingField } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { sampleOf } from "@/lib/domain/mapping/sample-of";
import { schemaTree } from "@/lib/domain/mapping/schema-tree";
import { useCopyFrom } from "./copy-from";
import { pointerTo, within } from "@/lib/contract/pointer";
import type { MappedProduct, OtherProduct } from "./mapped-product";
import { MappingRow } from "./mapping-row";
import { PathPicker } from "./path-picker";
import { useLatest } from "@/components/configuration-form/use-latest";
import { useSuggestions } from "./use-suggestions";

interface MappingFieldsProps {
  product: MappedProduct;
  others: readonly OtherProduct[];
  fields: readonly MappingField[];
  pathOf: (field: MappingField) => string;
  issues: readonly Issue[];
  /** What is offered where the product's schema changed. */
  confirm?: ReactNode;
  /** Copying calls it once for each field, one after the other. */
  onChange: (field: MappingField, path: string) => void;
}

/** The mapping of one product: where it keeps what the app works on. */
export function MappingFields(props: MappingFieldsProps) {
  const { product, others, fields, pathOf, issues, confirm, onChange } = props;
  const { schema } = product;
  const [picking, setPicking] = useState<MappingField>();
  const latest = useLatest(onChange);
  const change = useCallback((field: MappingField, path: string) => latest.current(field, path), [latest]);
  const nodes = useMemo(() => schemaTree(schema), [schema]);
  const sample = useMemo(
    () => ({ data: sampleOf(schema, product.sample), isMadeUp: product.sample === undefined }),
    [schema, product.sample],
  );
  const { menu, outcome } = useCopyFrom({ product, others, fields, onChange });
  const suggested = useSuggestions(fields, nodes);
  const sure = fields.flatMap((field) => {
    const path = pathOf(field).trim() === "" ? suggested.get(field.name)?.sure : undefined;
    return path === undefined ? [] : [{ field, path }];
  });
  return (
    <div className="flex min-w-0 flex-col gap-6 wrap-anywhere">
      {product.changedSinceMapped === true && (
        <Notice
          tone="warning"
          title={`The schema of ${product.name} changed since it was mapped`}
          actions={confirm}
        >
          Each path below says whether the schema has it now.
        </Notice>
      )}
      {nodes.length === 0 && (
        <Notice>
          The core gave no schema for this product, so there is nothing to pick from. Type the paths.
        </Notice>
      )}
      {(menu !== false || sure.length > 1) && (
        <div className="flex flex-wrap items-center gap-2">
          {sure.length > 1 && (
            <Button size="small" onPress={() => sure.forEach(({ field, path }) => change(field, path))}>
              <Sparkles aria-hidden className="size-4" />
              Use {sure.length} suggestions
            </Button>
          )}
          {menu}
        </div>
      )}
      {outcome}
      {fields.map((field) => (
        <MappingRow
          key={field.name}
          productName={product.name}
          schema={schema}
          suggestions={suggested.get(field.name)?.suggestions}
          sample={sample}
          field={field}
          path={pathOf(field)}
          error={within(issues, pointerTo("mappings", product.name, field.name))[0]?.message}
          onChange={change}
          onPick={setPicking}
        />
      ))}
      {picking !== undefined && (
        <PathPicker
          product={product}
          nodes={nodes}
          suggestions={suggested.get(picking.name)?.suggestions ?? []}
          field={picking}
          path={pathOf(picking)}
          onTake={(path) => {
            change(picking, path);
            setPicking(undefined);
          }}
          onClose={() => setPicking(undefined)}
        />
      )}
    </div>
  );
}
