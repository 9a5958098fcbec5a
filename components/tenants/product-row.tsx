"use client";

import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "react-aria-components";
import { UserText } from "@/components/ui/user-text";
import { CodeBlock } from "@/components/ui/code-block";
import { RelativeTime } from "@/components/ui/relative-time";
import { Segments } from "@/components/ui/segments";
import type { TenantProduct } from "@/lib/contract/tenant-view";
import { SchemaOutline } from "./schema-outline";

const VIEWS = [
  { value: "fields", text: "Fields" },
  { value: "sample", text: "Sample" },
  { value: "schema", text: "JSON Schema" },
] as const;
type View = (typeof VIEWS)[number]["value"];

/** A product that opens: its fields, the sample that the core gave, and the schema as it is. */
export function ProductRow({ product }: { product: TenantProduct }) {
  const [open, setOpen] = useState(false);
  const body = useId();
  return (
    <li>
      <h3>
        <Button
          aria-expanded={open}
          aria-controls={open ? body : undefined}
          onPress={() => setOpen(!open)}
          className="flex w-full cursor-pointer items-center gap-2 px-4 py-3 text-left hover:bg-subtle focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent-text sm:px-6"
        >
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-ink-faint transition-transform ${open ? "rotate-90" : ""}`}
          />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
            <UserText className="font-medium wrap-anywhere text-ink">{product.name}</UserText>
            <span className="text-[13px] text-ink-faint">
              changed <RelativeTime at={product.changedAt} />
            </span>
          </span>
        </Button>
      </h3>
      {open && (
        <div id={body} className="px-4 pt-2 pb-4 sm:px-6">
          <ProductBody product={product} />
        </div>
      )}
    </li>
  );
}

function ProductBody({ product: { name, schema, sample } }: { product: TenantProduct }) {
  const [view, setView] = useState<View>("fields");
  const hasSample = sample !== null && sample !== undefined;
  const views = VIEWS.filter(({ value }) => value !== "sample" || hasSample);
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Segments label={`What to see of ${name}`} options={views} value={view} onChange={setView} />
      </div>
      {view === "fields" && <SchemaOutline schema={schema} label={`Fields of ${name}`} />}
      {view === "sample" && <CodeBlock label={`sample of ${name}`} code={JSON.stringify(sample, null, 2)} />}
      {view === "schema" && (
        <CodeBlock label={`JSON Schema of ${name}`} code={JSON.stringify(schema, null, 2)} />
      )}
    </div>
  );
}
