"use client";

import { CornerDownRight } from "lucide-react";
import {
  Autocomplete,
  Collection,
  Dialog,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  Text,
  useFilter,
} from "react-aria-components";
import { menuItemStyles, MenuSearch } from "@/components/ui/collections";
import { Shortcut } from "@/components/ui/shortcut";
import { type Command, COMMAND_GROUPS, isAvailable } from "./command";
import { openCommands } from "./editor-commands";
import { useEditorStore } from "./model/editor-store";

interface CommandPaletteProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  commands: readonly Command[];
}

/** Searches all commands and entries. */
export function CommandPalette({ isOpen, onOpenChange, commands }: CommandPaletteProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-50 flex items-start justify-center bg-veil p-4 pt-[10vh]"
    >
      <Modal className="flex max-h-[70vh] w-full max-w-xl arrive flex-col overflow-hidden rounded-card border border-line bg-raised shadow-high">
        <Dialog aria-label="Command palette" className="flex min-h-0 flex-1 flex-col outline-none">
          <Palette commands={commands} close={() => onOpenChange(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Mounted only while the palette is open, so it reads what is available each time. */
function Palette({ commands, close }: { commands: readonly Command[]; close: () => void }) {
  const store = useEditorStore();
  const { contains } = useFilter({ sensitivity: "base" });
  const available = commands.filter((command) => command.id !== "palette" && isAvailable(command));
  const sections = [
    ...COMMAND_GROUPS.map((group) => ({
      title: group,
      items: available.filter((command) => command.group === group),
    })),
    { title: "Entries", items: openCommands(store) },
  ].filter(({ items }) => items.length > 0);
  const run = (id: string) => {
    const command = sections.flatMap(({ items }) => items).find((each) => each.id === id);
    close();
    // After the closing dialog has returned the focus, because the command may move it.
    setTimeout(() => command?.run(), 60);
  };
  return (
    <Autocomplete filter={contains}>
      <MenuSearch label="Search commands and entries" />
      {/* The focus stays in the search field, so the keyboard must reach the scroll container separately. */}
      <div
        tabIndex={0}
        role="group"
        aria-label="Results"
        className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      >
        <Menu
          aria-label="Commands and entries"
          items={sections}
          onAction={(key) => run(String(key))}
          className="p-1 outline-none"
          renderEmptyState={() => (
            <p className="px-4 py-8 text-center text-small text-ink-faint">No matches</p>
          )}
        >
          {({ title, items }) => (
            <MenuSection id={title}>
              <Header className="px-2 pt-2 pb-1 text-xs font-medium text-ink-faint">{title}</Header>
              <Collection items={items}>{(command) => <PaletteItem command={command} />}</Collection>
            </MenuSection>
          )}
        </Menu>
      </div>
    </Autocomplete>
  );
}

function PaletteItem({ command: { id, title, icon: Icon = CornerDownRight, keys } }: { command: Command }) {
  return (
    <MenuItem id={id} textValue={title} className={menuItemStyles()}>
      <Icon aria-hidden className="size-4 shrink-0 opacity-70" />
      <Text slot="label" className="min-w-0 flex-1 truncate">
        {title}
      </Text>
      {keys?.[0] !== undefined && <Shortcut keys={keys[0]} />}
    </MenuItem>
  );
}
