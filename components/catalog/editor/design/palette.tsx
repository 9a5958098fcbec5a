"use client";

import { Plus } from "lucide-react";
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { DragPreview, Menu, MenuItem } from "@/components/ui/collections";
import { type Ingredient, INGREDIENTS, newEntry } from "@/lib/domain/catalog/manifest/entry";
import { useEditor, useEditorStore } from "../model/editor-store";
import { addEntry } from "../model/entry-actions";
import { focusNewEntry, revealRow } from "../model/focus";
import { ENTRY_LABELS } from "../model/entry-labels";
import { AFTER_CLOSE_MS, useDesk } from "./desk";
import { createDragItem } from "./entry-rows";

interface PaletteItem {
  id: Ingredient;
}

const ITEMS: PaletteItem[] = INGREDIENTS.map((id) => ({ id }));

/** Everything that can be added: select it to add it at the end of its list, or drag it to a position. */
export function Palette() {
  const add = useAddEntry();
  const unavailable = useUnavailable();
  const { dragAndDropHooks } = useDragAndDrop<PaletteItem>({
    getItems: (_, items) => items.map(({ id }) => createDragItem(id, ENTRY_LABELS[id].name)),
    getAllowedDropOperations: () => ["copy"],
    renderDragPreview: ([item]) => <DragPreview>{Object.values(item ?? {})[0]}</DragPreview>,
  });
  return (
    <GridList
      aria-label="Palette"
      items={ITEMS}
      selectionMode="none"
      disabledKeys={unavailable}
      dragAndDropHooks={dragAndDropHooks}
      onAction={(key) => {
        const ingredient = INGREDIENTS.find((each) => each === key);
        if (ingredient !== undefined) add(ingredient);
      }}
      className="grid grid-cols-4 gap-1.5 outline-none @min-[57.5rem]/desk:grid-cols-1 @min-[57.5rem]/desk:gap-1"
    >
      {({ id }) => (
        <GridListItem id={id} textValue={ENTRY_LABELS[id].name} className="palette-entry group">
          <PaletteRow ingredient={id} onAdd={() => add(id)} />
        </GridListItem>
      )}
    </GridList>
  );
}

function PaletteRow({ ingredient, onAdd }: { ingredient: Ingredient; onAdd: () => void }) {
  const { icon: Icon, name, description } = ENTRY_LABELS[ingredient];
  return (
    <>
      <AriaButton slot="drag" className="palette-icon">
        <Icon aria-hidden className="size-4" />
      </AriaButton>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-small leading-5 font-medium text-ink">{name}</span>
        <span className="hidden truncate text-xs leading-4 text-ink-faint @min-[57.5rem]/desk:block">
          {description}
        </span>
      </span>
      <AriaButton aria-label={`Add ${name}`} onPress={onAdd} className="palette-add">
        <Plus aria-hidden className="size-4" />
      </AriaButton>
    </>
  );
}

/** Replaces the palette on narrow pages. */
export function PaletteMenu() {
  const add = useAddEntry();
  const unavailable = useUnavailable();
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
          icon={ENTRY_LABELS[ingredient].icon}
          detail={ENTRY_LABELS[ingredient].description}
          isDisabled={unavailable.includes(ingredient)}
          onAction={() => setTimeout(() => add(ingredient), AFTER_CLOSE_MS)}
        >
          {ENTRY_LABELS[ingredient].name}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Adds at the end of the list, opens the entry, and focuses its first field with the text selected. */
export function useAddEntry() {
  const store = useEditorStore();
  const desk = useDesk();
  return (ingredient: Ingredient, create?: Parameters<typeof addEntry>[3]) => {
    const before = store.getState().selection;
    addEntry(store, ingredient, undefined, create);
    const { selection } = store.getState();
    if (selection === before) return;
    desk.open(selection);
    revealRow(store, selection);
    focusNewEntry(selection);
  };
}

const NONE: readonly Ingredient[] = [];
const LIFECYCLE: readonly Ingredient[] = ["lifecycle"];

/** Each lifecycle hook can be added once. */
function useUnavailable(): readonly Ingredient[] {
  const hasAllHooks = useEditor(({ outline }) => newEntry("lifecycle", outline.entries) === undefined);
  return hasAllHooks ? LIFECYCLE : NONE;
}
