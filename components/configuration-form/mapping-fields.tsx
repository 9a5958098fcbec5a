"use client";

import { Notice } from "@/components/ui/notice";
import type { MappingField } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { pointerTo, within, type LaunchTenant } from "./launch-draft";
import { PathField } from "./path-field";

interface MappingFieldsProps {
  product: LaunchTenant["products"][number];
  fields: readonly MappingField[];
  pathOf: (field: MappingField) => string;
  issues: readonly Issue[];
  onChange: (field: MappingField, path: string) => void;
}

/** The mapping step of one product: where it keeps what the app works on. */
export function MappingFields({ product, fields, pathOf, issues, onChange }: MappingFieldsProps) {
  return (
    <>
      <p className="text-ink-soft">
        Say where {product.name} keeps what the app works on. The app gets these places with every call.
      </p>
      {product.paths.length === 0 && (
        <Notice>
          The core gave no schema for this product, so there is nothing to pick from. Type the paths.
        </Notice>
      )}
      {fields.map((field) => {
        const pointer = pointerTo("mappings", product.name, field.name);
        return (
          <PathField
            key={pointer}
            label={field.title}
            hint={field.hint}
            isRequired={field.required === true}
            paths={product.paths}
            value={pathOf(field)}
            onChange={(path) => onChange(field, path)}
            error={within(issues, pointer)[0]?.message}
          />
        );
      })}
    </>
  );
}
