"use client";

import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, Ellipsis, Trash2 } from "lucide-react";
import { memo } from "react";
import { Button } from "react-aria-components";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { shortText } from "../list/entry-texts";
import { focusCell } from "../desk/focus";
import { useValuesEdit } from "./use-values-edit";
import type { ValueRow } from "./value-rows";

interface ValueMenuProps {
  /** Of the entry. */
  id: string;
  row: ValueRow;
  /** How many rows there are. */
  count: number;
}

export const ValueMenu = memo(function ValueMenu({ id, row, count }: ValueMenuProps) {
  const edit = useValuesEdit(id);
  const { index } = row;
  const label = `Actions for value ${index + 1}, ${shortText(row.text)}`;
  const isFirst = index === 0;
  const isLast = index === count - 1;
  // The closing menu gives the focus back to its button first.
  const follow = (place: number) => {
    if (place >= 0) setTimeout(() => focusCell(id, place, "text"), 60);
  };
  const moveTo = (to: number, place: number) => () => {
    edit.move(row, to);
    follow(place);
  };
  const trigger = (
    <Button
      aria-label={label}
      className="flex size-7 shrink-0 cursor-pointer items-center justify-center rounded-field text-ink-faint hover:bg-hover hover:text-ink focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent-text expanded:bg-hover"
    >
      <Ellipsis aria-hidden className="size-4" />
    </Button>
  );
  return (
    <Menu trigger={trigger} label={label}>
      <MenuItem icon={ArrowUp} isDisabled={isFirst} onAction={moveTo(index - 1, index - 1)}>
        Move up
      </MenuItem>
      <MenuItem icon={ArrowDown} isDisabled={isLast} onAction={moveTo(index + 2, index + 1)}>
        Move down
      </MenuItem>
      <MenuItem icon={ArrowUpToLine} isDisabled={isFirst} onAction={moveTo(0, 0)}>
        Move to top
      </MenuItem>
      <MenuItem icon={ArrowDownToLine} isDisabled={isLast} onAction={moveTo(count, count - 1)}>
        Move to bottom
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={Trash2}
        tone="danger"
        onAction={() => {
          edit.remove(row);
          follow(Math.min(index, count - 2));
        }}
      >
        Delete
      </MenuItem>
    </Menu>
  );
});
