"use client";

import { Plus } from "lucide-react";
import { Button, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { DragPreview } from "@/components/ui/sortable-list";
import { INGREDIENTS, type Ingredient } from "@/lib/domain/manifest/new-entry";
import { dragItemOf } from "./drag-types";
import { LOOK_OF } from "./kinds";
import { useAddEntry, useSpent } from "./use-add-entry";

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
      <Button
        slot="drag"
        className="flex size-7 shrink-0 items-center justify-center rounded-field bg-subtle text-ink-soft group-hover:bg-accent-soft group-hover:text-accent-text focus-visible:outline-2 focus-visible:outline-accent-text"
      >
        <Icon aria-hidden className="size-4" />
      </Button>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[13px] leading-5 font-medium text-ink">{name}</span>
        <span className="hidden truncate text-xs leading-4 text-ink-faint @min-[920px]/desk:block">
          {line}
        </span>
      </span>
      <Button
        aria-label={`Add ${name}`}
        onPress={onAdd}
        className="flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-field text-ink-faint group-hover:text-ink hover:bg-hover focus-visible:outline-2 focus-visible:outline-accent-text disabled:cursor-not-allowed"
      >
        <Plus aria-hidden className="size-4" />
      </Button>
    </>
  );
}
