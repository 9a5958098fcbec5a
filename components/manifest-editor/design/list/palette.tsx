"use client";

import { Plus } from "lucide-react";
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { DragPreview } from "@/components/ui/sortable-list";
import { type Ingredient, INGREDIENTS } from "@/lib/domain/manifest/outline/new-entry";
import { dragItemOf } from "./entry-rows";
import { LOOK_OF } from "../../model/labels";
import { LIFECYCLE_EVENTS } from "@/lib/contract/manifest";
import type { EditorState } from "../../model/editor-store";
import { addEntry } from "../../model/entry-actions";
import { useEditor, useEditorStore } from "../../model/use-editor";
import { useDesk } from "../desk/desk";
import { focusField } from "../desk/focus";
import { revealRow } from "../desk/focus";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";

interface PaletteItem {
  id: Ingredient;
}

const ITEMS: PaletteItem[] = INGREDIENTS.map((id) => ({ id }));

/** What a manifest is made of: pressed, it goes to the end of its list; dragged, to where it is dropped. */
export function Palette() {
  const add = useAddEntry();
  const spent = useSpent();
  const { dragAndDropHooks } = useDragAndDrop<PaletteItem>({
    getItems: (_, items) => items.map(({ id }) => dragItemOf(id, LOOK_OF[id].name)),
    getAllowedDropOperations: () => ["copy"],
    renderDragPreview: ([item]) => <DragPreview>{Object.values(item ?? {})[0]}</DragPreview>,
  });
  return (
    <GridList
      aria-label="Palette"
      items={ITEMS}
      selectionMode="none"
      disabledKeys={spent}
      dragAndDropHooks={dragAndDropHooks}
      onAction={(key) => {
        const ingredient = INGREDIENTS.find((each) => each === key);
        if (ingredient !== undefined) add(ingredient);
      }}
      className="grid grid-cols-4 gap-1.5 outline-none @min-[920px]/desk:grid-cols-1 @min-[920px]/desk:gap-1"
    >
      {({ id }) => (
        <GridListItem
          id={id}
          textValue={LOOK_OF[id].name}
          className="group flex min-h-11 cursor-grab items-center gap-2.5 rounded-field border border-line bg-surface px-2 py-1.5 shadow-low outline-none hover:border-line-strong focus-visible:outline-2 focus-visible:outline-accent-text disabled:cursor-not-allowed disabled:opacity-55 @min-[920px]/desk:border-transparent @min-[920px]/desk:bg-transparent @min-[920px]/desk:shadow-none @min-[920px]/desk:hover:border-line @min-[920px]/desk:hover:bg-surface @min-[920px]/desk:hover:shadow-low pressed:bg-hover dragging:opacity-50"
        >
          <PaletteBody ingredient={id} onAdd={() => add(id)} />
        </GridListItem>
      )}
    </GridList>
  );
}

function PaletteBody({ ingredient, onAdd }: { ingredient: Ingredient; onAdd: () => void }) {
  const { icon: Icon, name, line } = LOOK_OF[ingredient];
  return (
    <>
      <AriaButton
        slot="drag"
        className="flex size-7 shrink-0 items-center justify-center rounded-field bg-subtle text-ink-soft group-hover:bg-accent-soft group-hover:text-accent-text focus-visible:outline-2 focus-visible:outline-accent-text"
      >
        <Icon aria-hidden className="size-4" />
      </AriaButton>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[13px] leading-5 font-medium text-ink">{name}</span>
        <span className="hidden truncate text-xs leading-4 text-ink-faint @min-[920px]/desk:block">
          {line}
        </span>
      </span>
      <AriaButton
        aria-label={`Add ${name}`}
        onPress={onAdd}
        className="flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-field text-ink-faint group-hover:text-ink hover:bg-hover focus-visible:outline-2 focus-visible:outline-accent-text disabled:cursor-not-allowed"
      >
        <Plus aria-hidden className="size-4" />
      </AriaButton>
    </>
  );
}

/** Adds at the end of the list, opens what was added, and puts the focus in its first field with the text selected. */
export function useAddEntry() {
  const store = useEditorStore();
  const desk = useDesk();
  return (ingredient: Ingredient) => {
    const before = store.state().selection;
    addEntry(store, ingredient);
    const { selection } = store.state();
    if (selection === before) return;
    desk.open(selection);
    revealRow(store, selection);
    focusField(selection, "", true);
  };
}

const NONE: readonly Ingredient[] = [];
const HOOKS: readonly Ingredient[] = ["lifecycle"];

/** What there is no more of: the lifecycle hooks, once all are there. */
function useSpent(): readonly Ingredient[] {
  return useEditor(isSpent) ? HOOKS : NONE;
}

function isSpent({ outline }: EditorState): boolean {
  const present = new Set(
    outline.entries.filter(({ kind }) => kind === "lifecycle").map(({ value }) => value),
  );
  return LIFECYCLE_EVENTS.every((event) => present.has(event));
}

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
