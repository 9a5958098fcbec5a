"use client";

import { Sparkles } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useSheet } from "@/components/configuration-form/sheet-context";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { Notice } from "@/components/ui/notice";
import type { MappingField } from "@/lib/contract/manifest";
import { isPathField } from "@/lib/contract/manifest-terms";
import { within } from "@/lib/contract/pointer";
import { mappingPointer } from "@/lib/domain/mapping/check-mappings";
import { createSample } from "@/lib/domain/mapping/create-sample";
import type { PathNotes } from "@/lib/domain/mapping/note-path";
import { schemaTree } from "@/lib/domain/mapping/schema-tree";
import { useCopyFrom } from "./copy-mapping";
import type { MappedProduct } from "./mapped-product";
import { MappingRow } from "./mapping-row";
import { useSuggestions } from "./suggestions";

const PathPicker = lazyDialog(async () => (await import("./path-picker")).PathPicker);

interface MappingFieldsProps {
  product: MappedProduct;
  fields: readonly MappingField[];
  /** What is offered if the product's schema changed. */
  confirm?: ReactNode;
  /** Of stored paths, from the server. */
  notes?: PathNotes[string];
}

/** The mapping of one product: where it stores the data that the app works on. */
export function MappingFields({ product, fields, confirm, notes = {} }: MappingFieldsProps) {
  const { sheet, issues, change, changeAll } = useSheet();
  const { name, schema } = product;
  const [picking, setPicking] = useState<MappingField>();
  const nodes = useMemo(() => schemaTree(schema), [schema]);
  const sample = useMemo(
    () => ({ data: createSample(schema, product.sample), isGenerated: product.sample === undefined }),
    [schema, product.sample],
  );
  const { menu, outcome } = useCopyFrom(product, fields);
  const pathFields = useMemo(() => fields.filter(isPathField), [fields]);
  const suggested = useSuggestions(pathFields, nodes);
  const sure = fields.flatMap((field) => {
    const path = sheet.path(name, field.name).trim() === "" ? suggested.get(field.name)?.sure : undefined;
    return path === undefined ? [] : [{ field, path }];
  });
  const takeSure = () =>
    changeAll(
      sure.map(({ field, path }) => [mappingPointer(name, field.name), { action: "set", text: path }]),
    );
  return (
    <div className="flex min-w-0 flex-col gap-6 wrap-anywhere">
      {product.changedSinceMapped === true && (
        <Notice tone="warning" title={`The schema of ${name} changed since you mapped it`} actions={confirm}>
          Each path below shows whether the new schema has it.
        </Notice>
      )}
      {nodes.length === 0 && pathFields.length > 0 && (
        <Notice>
          The core returned no schema for this product, so there are no fields to select. Type the paths.
        </Notice>
      )}
      {(menu !== false || sure.length > 1) && (
        <div className="flex flex-wrap items-center gap-2">
          {sure.length > 1 && (
            <Button size="small" onPress={takeSure}>
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
          productName={name}
          schema={schema}
          suggestions={suggested.get(field.name)?.suggestions}
          sample={sample}
          field={field}
          path={sheet.path(name, field.name)}
          note={notes[sheet.path(name, field.name)]}
          error={within(issues, mappingPointer(name, field.name))[0]?.message}
          onChange={change}
          onPick={setPicking}
        />
      ))}
      <PathPicker
        isOpen={picking !== undefined}
        onOpenChange={() => setPicking(undefined)}
        product={product}
        nodes={nodes}
        suggestions={(picking && suggested.get(picking.name)?.suggestions) ?? []}
        field={picking}
        path={picking === undefined ? "" : sheet.path(name, picking.name)}
        onSelect={(text) => {
          if (picking !== undefined) change(mappingPointer(name, picking.name), { action: "set", text });
          setPicking(undefined);
        }}
      />
    </div>
  );
}
