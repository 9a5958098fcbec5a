"use client";

import { type LucideIcon, Redo2, Undo2 } from "lucide-react";
import { type ComponentType, useEffect, useRef, useState } from "react";
import {
  Button as AriaButton,
  Tab,
  TabList,
  TabPanel,
  Tabs,
  Tooltip,
  TooltipTrigger,
} from "react-aria-components";
import { Skeleton } from "@/components/ui/card";
import { lazyPart, usePreload } from "@/components/ui/forms/lazy-code";
import { buttonStyles } from "@/components/ui/links";
import { ariaShortcut, Shortcut } from "@/components/ui/shortcut";
import { SaveState } from "../drafts/use-draft-sync";
import { DesignTab } from "./design/design-tab";
import { EDITOR_TABS, type EditorTab, useEditor, useEditorStore } from "./model/editor-store";
import { hasErrors, TAB_LABELS } from "./model/labels";
import { ProblemsPanel, ProblemsToggle } from "./problems-panel";

// Other tabs are loaded after the first input, or when the pointer reaches them.
const loading = <Skeleton className="h-96" />;
const PreviewTab = lazyPart(async () => (await import("./preview/preview-tab")).PreviewTab, loading);
const AppViewTab = lazyPart(async () => (await import("./preview/app-view-tab")).AppViewTab, loading);
const ChangesTab = lazyPart(async () => (await import("./changes/changes-tab")).ChangesTab, loading);
const JsonTab = lazyPart(
  async () => (await import("./json-tab")).JsonTab,
  <Skeleton className="h-[max(22rem,calc(100dvh-15rem))]" />,
);
const LATER_TABS = [JsonTab, PreviewTab, AppViewTab, ChangesTab];

const TAB_CONTENT: Record<EditorTab, ComponentType & { preload?: () => void }> = {
  design: DesignTab,
  preview: PreviewTab,
  json: JsonTab,
  app: AppViewTab,
  changes: ChangesTab,
};

/** On narrower screens, the problems close when one is selected. */
const NARROW_PX = 640;

export function EditorTabs() {
  const store = useEditorStore();
  const tab = useEditor((state) => state.tab);
  const [isOpen, setOpen] = useState(false);
  const { tabs, bar } = useBarHeight();
  usePreload(LATER_TABS);
  return (
    <Tabs
      ref={tabs}
      selectedKey={tab}
      onSelectionChange={(key) => {
        const chosen = EDITOR_TABS.find((each) => each === key);
        if (chosen !== undefined) store.openTab(chosen);
      }}
      className="[--bar:5.25rem] [--editor-top:calc(var(--shell-top)+var(--bar)+16px)] [--shell-top:3.5rem] lg:[--shell-top:0px] @min-[62.5rem]:[--bar:2.75rem]"
    >
      <div
        ref={bar}
        className="z-20 -mx-1 bg-ground px-1 pb-4 @min-[37.5rem]:sticky @min-[37.5rem]:top-(--shell-top)"
      >
        <div className="flex flex-wrap items-center border-b border-line @min-[62.5rem]:flex-nowrap">
          <EditorTabList tab={tab} />
          <div className="flex min-h-10 w-full min-w-0 flex-wrap items-center justify-between gap-x-2 py-1 @min-[62.5rem]:ml-auto @min-[62.5rem]:w-auto">
            <div className="min-w-0 px-1">
              <SaveState />
            </div>
            <div className="flex max-w-full shrink-0 flex-wrap items-center gap-1">
              <ProblemsToggle isOpen={isOpen} toggle={() => setOpen(!isOpen)} />
              <HistoryButtons />
            </div>
          </div>
        </div>
        {isOpen && <ProblemsPanel onJump={() => window.innerWidth < NARROW_PX && setOpen(false)} />}
      </div>
      {EDITOR_TABS.map((each) => {
        const Body = TAB_CONTENT[each];
        return (
          <TabPanel key={each} id={each} className="outline-offset-4">
            <Body />
          </TabPanel>
        );
      })}
    </Tabs>
  );
}

/** Sticky elements below the bar need its height, which changes when it wraps or the problems are open. */
function useBarHeight() {
  const tabs = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (bar.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize;
      if (height !== undefined) tabs.current?.style.setProperty("--bar", `${height - 16}px`);
    });
    observer.observe(bar.current);
    return () => observer.disconnect();
  }, []);
  return { tabs, bar };
}

function EditorTabList({ tab }: { tab: EditorTab }) {
  const list = useRef<HTMLDivElement>(null);
  // Keeps the open tab visible where the tabs scroll.
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    const show = () => {
      const open = current.querySelector<HTMLElement>("[data-selected]");
      if (open !== null) current.scrollLeft = open.offsetLeft - (current.clientWidth - open.offsetWidth) / 2;
    };
    show();
    const resizes = new ResizeObserver(show);
    resizes.observe(current);
    return () => resizes.disconnect();
  }, [tab]);
  return (
    <TabList
      ref={list}
      aria-label="Manifest"
      className="relative -mb-px flex min-w-0 [scrollbar-width:none] gap-1 overflow-x-auto @max-[62.5rem]:w-full"
    >
      {EDITOR_TABS.map((each) => (
        <Tab
          key={each}
          id={each}
          onHoverStart={TAB_CONTENT[each].preload}
          className="flex h-11 shrink-0 cursor-pointer items-center gap-2 border-b-2 border-transparent px-3 text-small font-medium whitespace-nowrap text-ink-faint transition-colors hover:text-ink focus-visible:rounded-field focus-visible:-outline-offset-2 selected:border-accent-text selected:text-ink"
        >
          {TAB_LABELS[each].title}
          {(each === "design" || each === "json") && <ProblemCount />}
        </Tab>
      ))}
    </TabList>
  );
}

/** Hidden from screen readers, which get the count from the toggle beside the tabs. */
function ProblemCount() {
  const count = useEditor((state) => state.issues.filter(({ severity }) => severity !== "hint").length);
  const errors = useEditor((state) => hasErrors(state.issues));
  if (count === 0) return null;
  const tone = errors ? "bg-danger-soft text-danger" : "bg-warning-soft text-warning";
  return (
    <span
      aria-hidden
      className={`min-w-5 rounded-full px-1.5 text-center text-tiny leading-5 tabular-nums ${tone}`}
    >
      {count}
    </span>
  );
}

/** Keeps the open tab in the URL for links and reloads. Back still leaves the editor. */
export function useTabInUrl(): void {
  const tab = useEditor((state) => state.tab);
  useEffect(() => {
    const url = new URL(window.location.href);
    if (tab === "design") url.searchParams.delete("tab");
    else url.searchParams.set("tab", tab);
    if (url.href !== window.location.href) window.history.replaceState(null, "", url);
  }, [tab]);
}

/** Undo and redo, labeled with the change they affect. */
function HistoryButtons() {
  const store = useEditorStore();
  const undone = useEditor((state) => state.history.done.at(-1)?.what);
  const redone = useEditor((state) => state.history.undone.at(-1)?.what);
  return (
    <div role="group" aria-label="History" className="flex">
      <IconButton
        icon={Undo2}
        label={undone === undefined ? "Undo" : `Undo: ${undone}`}
        keys="Mod+Z"
        isDisabled={undone === undefined}
        onPress={store.undo}
      />
      <IconButton
        icon={Redo2}
        label={redone === undefined ? "Redo" : `Redo: ${redone}`}
        keys="Mod+Shift+Z"
        isDisabled={redone === undefined}
        onPress={store.redo}
      />
    </div>
  );
}

interface IconButtonProps {
  icon: LucideIcon;
  /** The accessible name and the tooltip. */
  label: string;
  keys?: string;
  isDisabled?: boolean;
  onPress: () => void;
}

function IconButton({ icon: Icon, label, keys, isDisabled, onPress }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        aria-label={label}
        aria-keyshortcuts={keys === undefined ? undefined : ariaShortcut(keys)}
        isDisabled={isDisabled}
        onPress={onPress}
        className={buttonStyles({ tone: "quiet", size: "icon-small" })}
      >
        <Icon aria-hidden className="size-4" />
      </AriaButton>
      <Tooltip
        offset={6}
        className="flex max-w-72 arrive items-center gap-2 rounded-field border border-line bg-raised px-2 py-1 text-xs text-ink shadow-high"
      >
        <span className="min-w-0 truncate">{label}</span>
        {keys !== undefined && <Shortcut keys={keys} />}
      </Tooltip>
    </TooltipTrigger>
  );
}
