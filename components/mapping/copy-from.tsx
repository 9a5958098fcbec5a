"use client";

import { Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import type { MappingField } from "@/lib/contract/manifest";
import { copyPaths, type CopiedPaths } from "@/lib/domain/mapping/check-path";
import type { MappedProduct, OtherProduct } from "./mapped-product";

interface CopyFromProps {
  product: MappedProduct;
  others: readonly OtherProduct[];
  fields: readonly MappingField[];
  onChange: (field: MappingField, path: string) => void;
}

/** Takes over what another product's mapping has and this product's schema too, and says what it has not. */
export function useCopyFrom({ product, others, fields, onChange }: CopyFromProps) {
  const [copied, setCopied] = useState<{ from: string; product: string } & CopiedPaths>();
  const mapped = others.filter(({ pathOf }) => fields.some((field) => pathOf(field).trim() !== ""));
  const copy = (other: OtherProduct) => {
    const paths = Object.fromEntries(fields.map((field) => [field.name, other.pathOf(field).trim()]));
    const result = copyPaths(paths, product.schema, fields);
    const found = new Map(Object.entries(result.paths));
    for (const field of fields) {
      const path = found.get(field.name);
      if (path !== undefined) onChange(field, path);
    }
    setCopied({ ...result, from: other.name, product: product.name });
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
      {mapped.map((other) => (
        <MenuItem key={other.name} onAction={() => copy(other)}>
          {other.name}
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
  const title = count === 1 ? `One path was copied from ${from}` : `${count} paths were copied from ${from}`;
  const titleOf = (name: string) => fields.find((field) => field.name === name)?.title ?? name;
  return (
    <Notice
      tone={missing.length === 0 ? "success" : "warning"}
      title={count === 0 ? `Nothing was copied from ${from}` : title}
    >
      {missing.length > 0 && (
        <>
          {product} does not have:
          <ul className="list-disc pl-4">
            {missing.map(({ name, path }) => (
              <li key={name}>
                {titleOf(name)} <code className="font-mono text-xs break-all">{path}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
}
