"use client";

import type { RefObject } from "react";
import { Menu, Popover } from "react-aria-components";
import { MenuItem, POPOVER_STYLES } from "@/components/ui/collections";
import type { MappingField } from "@/lib/contract/catalog/manifest";
import { type CopiedPaths, copyPaths } from "@/lib/domain/catalog/mapping/check-path";

interface CopyMenuProps {
  trigger: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  products: readonly { name: string; paths: Record<string, string> }[];
  /** Of the product that gets the paths. */
  schema: unknown;
  fields: readonly MappingField[];
  onCopy: (from: string, result: CopiedPaths) => void;
}

/** The products that paths can be copied from. */
export function CopyMenu({ trigger, isOpen, onOpenChange, products, schema, fields, onCopy }: CopyMenuProps) {
  return (
    <Popover
      triggerRef={trigger}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      placement="bottom end"
      className={POPOVER_STYLES}
    >
      <Menu
        aria-label="Copy from another product"
        autoFocus="first"
        onClose={() => onOpenChange(false)}
        className="outline-none"
      >
        {products.map(({ name, paths }) => (
          <MenuItem key={name} onAction={() => onCopy(name, copyPaths(paths, schema, fields))}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
