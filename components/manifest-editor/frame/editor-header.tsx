"use client";

import { ClipboardCopy, Command, Download, Ellipsis, FileUp, Keyboard } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page-header";
import type { FrameActions } from "../commands/editor-commands";
import { useEditedListing } from "../model/use-editor";

export function EditorHeader({ actions }: { actions: FrameActions }) {
  const { appName, name, title } = useEditedListing();
  return (
    <div className="[&>header]:mb-4">
      <PageHeader
        back={{ href: `/publish/${encodeURIComponent(appName)}`, text: title }}
        title="Manifest"
        description={<span className="font-mono text-[13px] break-all">{name}</span>}
        actions={
          <>
            <Menu
              label="More actions"
              trigger={
                <Button size="icon" aria-label="More actions">
                  <Ellipsis aria-hidden className="size-4" />
                </Button>
              }
            >
              <MenuItem icon={FileUp} keys="Mod+O" onAction={actions.importFile}>
                Import file…
              </MenuItem>
              <MenuItem icon={Download} keys="Mod+Shift+S" onAction={actions.exportFile}>
                Export
              </MenuItem>
              <MenuItem icon={ClipboardCopy} onAction={actions.copyText}>
                Copy
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={Command} keys="Mod+K" onAction={actions.openPalette}>
                Command palette
              </MenuItem>
              <MenuItem icon={Keyboard} keys="?" onAction={actions.openShortcuts}>
                Keyboard shortcuts
              </MenuItem>
            </Menu>
            <Button tone="primary" onPress={actions.openRelease}>
              Release
            </Button>
          </>
        }
      />
    </div>
  );
}
