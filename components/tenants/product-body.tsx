"use client";

import { useState } from "react";
import { Segments } from "@/components/ui/choices";
import { CodeBlock } from "@/components/ui/code-block";
import type { TenantProduct } from "@/lib/contract/tenant-view";
import { SchemaOutline } from "./schema-outline";

const VIEWS = [
  { value: "fields", text: "Fields" },
  { value: "sample", text: "Sample" },
  { value: "schema", text: "JSON Schema" },
] as const;
type View = (typeof VIEWS)[number]["value"];

/** What a product expands to. */
export function ProductBody({ product: { name, schema, sample } }: { product: TenantProduct }) {
  const [view, setView] = useState<View>("fields");
  const hasSample = sample !== null && sample !== undefined;
  const views = VIEWS.filter(({ value }) => value !== "sample" || hasSample);
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Segments label={`View of ${name}`} options={views} value={view} onChange={setView} />
      </div>
      {view === "fields" && <SchemaOutline schema={schema} label={`Fields of ${name}`} />}
      {view === "sample" && <CodeBlock label={`sample of ${name}`} code={JSON.stringify(sample, null, 2)} />}
      {view === "schema" && (
        <CodeBlock label={`JSON Schema of ${name}`} code={JSON.stringify(schema, null, 2)} />
      )}
    </div>
  );
}
