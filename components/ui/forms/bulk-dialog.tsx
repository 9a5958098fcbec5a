"use client";

import { CircleAlert, CircleCheck, CircleDashed, Minus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { toProblemBody } from "@/lib/client/api";
import { Button } from "../button";
import { Dialog } from "./lazy-code";
import { TextLink } from "../links";
import { UserText } from "../values";

/** One of the things that are done together, each by a request of its own. */
export interface BulkItem {
  id: string;
  title: string;
  /** Where it can be done by itself. */
  href?: string;
  /** What will happen to it, or why it is left out. */
  text: string;
  /** Undefined for an item that is left out. Returns what happened; throws why it didn't. */
  run?: () => Promise<string>;
}

interface BulkDialogProps {
  /** Undefined while it is closed. */
  items: readonly BulkItem[] | undefined;
  /** Asks, such as “Upgrade 3 installations?”. @param count those that are not left out */
  ask: (count: number) => string;
  confirmText: (count: number) => string;
  onClose: () => void;
  /** After the last one. */
  onDone: () => void;
  /** What it means. */
  children: ReactNode;
}

type Results = ReadonlyMap<string, { isDone: boolean; text: string }>;

/** Asks with the number, does one after another, and shows what happened to each. What is left out is listed with the reason. */
export function BulkDialog({ items, ask, confirmText, onClose, onDone, children }: BulkDialogProps) {
  const [results, setResults] = useState<Results>();
  const [isRunning, setRunning] = useState(false);
  const all = items ?? [];
  const wanted = all.filter(({ run }) => run !== undefined);
  const start = async () => {
    setRunning(true);
    const found = new Map<string, { isDone: boolean; text: string }>();
    setResults(new Map());
    for (const { id, run } of wanted) {
      found.set(id, await tryToRun(run));
      setResults(new Map(found));
    }
    setRunning(false);
    onDone();
  };
  const close = () => {
    setResults(undefined);
    onClose();
  };
  const failed = [...(results?.values() ?? [])].filter(({ isDone }) => !isDone).length;
  const done = (results?.size ?? 0) - failed;
  return (
    <Dialog
      isOpen={items !== undefined}
      onOpenChange={close}
      isBusy={isRunning}
      title={
        results === undefined ? ask(wanted.length) : isRunning ? "In progress" : describeEnd(done, failed)
      }
      footer={
        results !== undefined ? (
          <Button onPress={close} isDisabled={isRunning}>
            Done
          </Button>
        ) : (
          <>
            <Button onPress={close}>Cancel</Button>
            <Button tone="primary" isDisabled={wanted.length === 0} onPress={() => void start()}>
              {confirmText(wanted.length)}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {results === undefined && <p>{children}</p>}
        {results !== undefined && (
          <p role="status" className="sr-only">
            {isRunning ? `${results.size} of ${wanted.length} done` : describeEnd(done, failed)}
          </p>
        )}
        <ul aria-label="Selected" className="divide-y divide-line border-y border-line">
          {all.map((item) => (
            <Line
              key={item.id}
              item={item}
              result={results?.get(item.id)}
              isStarted={results !== undefined}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function describeEnd(done: number, failed: number): string {
  if (failed === 0) return done === 1 ? "1 done" : `${done} done`;
  return `${done} done, ${failed} failed`;
}

async function tryToRun(run: BulkItem["run"]): Promise<{ isDone: boolean; text: string }> {
  try {
    return { isDone: true, text: (await run?.()) ?? "" };
  } catch (error) {
    return { isDone: false, text: toProblemBody(error).detail };
  }
}

interface LineProps {
  item: BulkItem;
  result: { isDone: boolean; text: string } | undefined;
  isStarted: boolean;
}

function Line({ item: { title, href, text, run }, result, isStarted }: LineProps) {
  const isLeftOut = run === undefined;
  const [Icon, tone, meaning] = isLeftOut
    ? ([Minus, "text-ink-faint", "Left out"] as const)
    : result === undefined
      ? ([CircleDashed, "text-ink-faint", isStarted ? "Waiting" : "Selected"] as const)
      : result.isDone
        ? ([CircleCheck, "text-success", "Done"] as const)
        : ([CircleAlert, "text-danger", "Failed"] as const);
  return (
    <li className="flex gap-2.5 py-2.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <span className="sr-only">{meaning}:</span>
      <span className="min-w-0 text-small leading-5">
        <span className="block wrap-anywhere text-ink">
          {href === undefined ? (
            <UserText>{title}</UserText>
          ) : (
            <TextLink href={href}>
              <UserText>{title}</UserText>
            </TextLink>
          )}
        </span>
        <span className={`block wrap-anywhere ${result?.isDone === false ? "text-danger" : "text-ink-soft"}`}>
          <UserText>{result?.text ?? (isLeftOut ? `Left out. ${text}` : text)}</UserText>
        </span>
      </span>
    </li>
  );
}
