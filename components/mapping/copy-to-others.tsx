"use client";

import { CopyCheck } from "lucide-react";
import { useState } from "react";
import { useSheet } from "@/components/configuration-form/sheet-context";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { copyPaths } from "@/lib/domain/mapping/check-path";
import { isMapped, readPaths, toChanges } from "./copied-paths";
import type { MappedProduct } from "./mapped-product";

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
