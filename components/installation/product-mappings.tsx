import { ChevronRight } from "lucide-react";
import { UserText } from "@/components/ui/user-text";
import type { InstallationView } from "@/lib/contract/installation-view";
import { FactList } from "./fact-list";

type Configuration = InstallationView["configuration"];
type ProductMapping = Configuration["mappings"][number];

/** More products than this are collapsed. */
const OPEN = 3;

/** The fields of each product that the app works on. */
export function ProductMappings({
  mappings,
  mappingFields,
}: Pick<Configuration, "mappings" | "mappingFields">) {
  if (mappings.length === 0)
    return <p className="text-ink-soft">The tenant had no products when this was saved.</p>;
  if (mappings.length <= OPEN)
    return mappings.map((mapping) => (
      <section key={mapping.productName}>
        <h3 className="mb-3 text-[13px] font-medium wrap-anywhere text-ink">
          <UserText>{mapping.productName}</UserText>
        </h3>
        <Paths mapping={mapping} mappingFields={mappingFields} />
      </section>
    ));
  return (
    <div className="-mx-2">
      {mappings.map((mapping) => (
        <details key={mapping.productName} className="group">
          <summary className="flex cursor-pointer list-none items-start gap-2 rounded-field px-2 py-2 hover:bg-subtle [&::-webkit-details-marker]:hidden">
            <ChevronRight
              aria-hidden
              className="mt-1 size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
            />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
              <UserText className="text-[13px] font-medium wrap-anywhere text-ink">
                {mapping.productName}
              </UserText>
              <span className="text-[13px] text-ink-faint tabular-nums">
                {countMapped(mapping, mappingFields)} of {mappingFields.length} mapped
              </span>
            </span>
          </summary>
          <div className="px-8 pt-1 pb-4">
            <Paths mapping={mapping} mappingFields={mappingFields} />
          </div>
        </details>
      ))}
    </div>
  );
}

interface PathsProps extends Pick<Configuration, "mappingFields"> {
  mapping: ProductMapping;
}

function Paths({ mapping, mappingFields }: PathsProps) {
  const paths = new Map(Object.entries(mapping.fields));
  return (
    <FactList
      rows={mappingFields.map(({ name, title }) => ({
        key: name,
        name: <UserText>{title}</UserText>,
        value: <Path path={paths.get(name)} />,
      }))}
    />
  );
}

function Path({ path }: { path: string | undefined }) {
  if (path === undefined) return <Skipped />;
  return <UserText className="font-mono text-[13px] break-all">{path}</UserText>;
}

export function Skipped() {
  return <span className="text-ink-faint">Skipped</span>;
}

function countMapped({ fields }: ProductMapping, declared: Configuration["mappingFields"]): number {
  return declared.filter(({ name }) => Object.hasOwn(fields, name)).length;
}
