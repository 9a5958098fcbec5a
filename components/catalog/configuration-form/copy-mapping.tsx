"use client";

import { Copy } from "lucide-react";
import { useRef, useState } from "react";
import { lazyDialog } from "@/components/ui/forms/lazy-code";
import { buttonStyles } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import type { MappingField } from "@/lib/contract/catalog/manifest";
import type { AnswerChange, AnswerSheet } from "@/lib/domain/catalog/answer-sheet";
import { mappingPointer } from "@/lib/domain/catalog/mapping/check-mappings";
import type { CopiedPaths } from "@/lib/domain/catalog/mapping/check-path";
import { useSheet } from "./answer-form";

/** Comes with the parser of paths. */
const CopyMenu = lazyDialog(async () => (await import("./copy-menu")).CopyMenu);

/** Copies the paths of another product that this product's schema has too, and lists those it lacks. */
export function useCopyFrom(product: MappedProduct, fields: readonly MappingField[]) {
  const { sheet, changeAll } = useSheet();
  const [copied, setCopied] = useState<{ from: string; product: string } & CopiedPaths>();
  const mapped = sheet.form.products.filter(
    ({ name }) => name !== product.name && isMapped(sheet, name, fields),
  );
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = mapped.length > 0 && (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={buttonStyles({ size: "small" })}
        onClick={() => setOpen(!isOpen)}
      >
        <Copy aria-hidden className="size-4" />
        Copy from another product
      </button>
      <CopyMenu
        trigger={button}
        isOpen={isOpen}
        onOpenChange={setOpen}
        products={mapped.map(({ name }) => ({ name, paths: readPaths(sheet, name, fields) }))}
        schema={product.schema}
        fields={fields}
        onCopy={(from, result) => {
          changeAll(toChanges(product.name, result.paths));
          setCopied({ ...result, from, product: product.name });
        }}
      />
    </>
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
                {findTitle(name)}{" "}
                <code translate="no" className="font-mono text-xs wrap-anywhere">
                  {path}
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
}

export function readPaths(
  sheet: AnswerSheet,
  product: string,
  fields: readonly MappingField[],
): Record<string, string> {
  return Object.fromEntries(fields.map(({ name }) => [name, sheet.path(product, name).trim()]));
}

export function isMapped(sheet: AnswerSheet, product: string, fields: readonly MappingField[]): boolean {
  return fields.some(({ name }) => sheet.path(product, name).trim() !== "");
}

export function toChanges(product: string, paths: Readonly<Record<string, string>>): AnswerChange[] {
  return Object.entries(paths).map(([field, text]) => [
    mappingPointer(product, field),
    { action: "set", text },
  ]);
}

/** A product as its mapping needs it. */
export interface MappedProduct {
  name: string;
  /** JSON Schema of its policy data, as the core gave it. */
  schema?: unknown;
  /** Policy data as the core gave it, for trying out paths. */
  sample?: unknown;
  /** The schema has changed since the current mapping was saved. */
  changedSinceMapped?: boolean;
}
