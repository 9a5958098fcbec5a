"use client";

import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { INGREDIENTS } from "@/lib/domain/manifest/new-entry";
import { LOOK_OF } from "./kinds";
import { useAddEntry, useSpent } from "./use-add-entry";

/** The palette where there is no room for it. */
export function PaletteMenu() {
  const add = useAddEntry();
  const spent = useSpent();
  const trigger = (
    <Button className="w-full">
      <Plus aria-hidden className="size-4" />
      Add
    </Button>
  );
  return (
    <Menu trigger={trigger} label="Add" placement="bottom start">
      {INGREDIENTS.map((ingredient) => (
        <MenuItem
          key={ingredient}
          icon={LOOK_OF[ingredient].icon}
          detail={LOOK_OF[ingredient].line}
          isDisabled={spent.includes(ingredient)}
          // The closing menu gives the focus back to its button first.
          onAction={() => setTimeout(() => add(ingredient), 60)}
        >
          {LOOK_OF[ingredient].name}
        </MenuItem>
      ))}
    </Menu>
  );
}
