"use client";

import { Copy, CopyCheck } from "lucide-react";
import { useState } from "react";
import { useSheet } from "@/components/configuration-form/sheet-context";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import type { MappingField } from "@/lib/contract/manifest";
import type { AnswerChange, AnswerSheet } from "@/lib/domain/answer-sheet";
import { mappingPointer } from "@/lib/domain/mapping/check-mappings";
import { copyPaths, type CopiedPaths } from "@/lib/domain/mapping/check-path";
import type { MappedProduct } from "./mapped-product";

function readPaths(
  sheet: AnswerSheet,
  product: string,
  fields: readonly MappingField[],
): Record<string, string> {
  return Object.fromEntries(fields.map(({ name }) => [name, sheet.path(product, name).trim()]));
}

function isMapped(sheet: AnswerSheet, product: string, fields: readonly MappingField[]): boolean {
  return fields.some(({ name }) => sheet.path(product, name).trim() !== "");
}

function toChanges(product: string, paths: Readonly<Record<string, string>>): AnswerChange[] {
  return Object.entries(paths).map(([field, text]) => [
    mappingPointer(product, field),
    { action: "set", text },
  ]);
}

/** Copies the paths of another product that this product's schema has too, and lists those it lacks. */
export function useCopyFrom(product: MappedProduct, fields: readonly MappingField[]) {
  const { sheet, changeAll } = useSheet();
  const [copied, setCopied] = useState<{ from: string; product: string } & CopiedPaths>();
  const mapped = sheet.form.products.filter(
    ({ name }) => name !== product.name && isMapped(sheet, name, fields),
  );
  const copy = (from: string) => {
    const result = copyPaths(readPaths(sheet, from, fields), product.schema, fields);
    changeAll(toChanges(product.name, result.paths));
    setCopied({ ...result, from, product: product.name });
  };
  const menu = mapped.length > 0 && (
    <Menu
      label="Copy from another product"
      trigger={
        <Button size="small">
          <Copy aria-hidden className="size-4" />
          Copy from another product
        </Button>
      }
    >
      {mapped.map(({ name }) => (
        <MenuItem key={name} onAction={() => copy(name)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
  const outcome = copied !== undefined && copied.product === product.name && (
    <CopiedNotice {...copied} fields={fields} />
  );
  return { menu, outcome };
}

interface CopiedNoticeProps extends CopiedPaths {
  from: string;
  product: string;
  fields: readonly MappingField[];
}

function CopiedNotice({ from, product, paths, missing, fields }: CopiedNoticeProps) {
  const count = Object.keys(paths).length;
  const copied = count === 0 ? "Nothing" : count === 1 ? "1 path" : `${count} paths`;
  const findTitle = (name: string) => fields.find((field) => field.name === name)?.title ?? name;
  return (
    <Notice tone={missing.length === 0 ? "success" : "warning"} title={`${copied} copied from ${from}`}>
      {missing.length > 0 && (
        <>
          {product} does not have:
          <ul className="list-disc pl-4">
            {missing.map(({ name, path }) => (
              <li key={name}>
                {findTitle(name)} <code className="font-mono text-xs break-all">{path}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
}

/** Tenants have dozens of similar products: copies this product's paths to those that are not mapped yet. */
export function CopyToOthers({ product }: { product: MappedProduct }) {
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
