"use client";

import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { UserText } from "@/components/ui/values";
import type { ListingText } from "@/lib/contract/catalog/listing";
import { imagePath } from "@/lib/contract/catalog/listing-terms";

type Screenshot = ListingText["screenshots"][number];

const name = ({ caption }: Screenshot, index: number) => caption || `Screenshot ${index + 1}`;

/** A strip of pictures; each opens a viewer. The browser's own dialog keeps the public pages small. */
export function Screenshots({ screenshots }: { screenshots: readonly Screenshot[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [at, setAt] = useState(0);
  if (screenshots.length === 0) return null;
  return (
    <section aria-label="Screenshots">
      <ul className="-m-1 flex snap-x scroll-px-1 gap-3 overflow-x-auto p-1">
        {screenshots.map((screenshot, index) => (
          <li key={index} className="w-64 max-w-full shrink-0 snap-start sm:w-80">
            <button
              type="button"
              onClick={() => {
                setAt(index);
                dialog.current?.showModal();
              }}
              // Browsers don't scroll to a focused picture of which a part is visible.
              onFocus={({ currentTarget }) =>
                currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" })
              }
              aria-label={`View ${name(screenshot, index)}`}
              className="block w-full cursor-zoom-in overflow-hidden rounded-card border border-line bg-subtle shadow-low hover:border-line-strong"
            >
              <Picture
                screenshot={screenshot}
                alt=""
                className="aspect-[16/10] w-full object-cover object-top"
              />
            </button>
            {screenshot.caption !== "" && (
              <p className="mt-1.5 line-clamp-2 text-small leading-5 text-ink-faint">
                <UserText>{screenshot.caption}</UserText>
              </p>
            )}
          </li>
        ))}
      </ul>
      <Viewer
        ref={dialog}
        screenshots={screenshots}
        at={Math.min(at, screenshots.length - 1)}
        onMove={setAt}
      />
    </section>
  );
}

interface ViewerProps {
  ref: React.RefObject<HTMLDialogElement | null>;
  screenshots: readonly Screenshot[];
  at: number;
  onMove: (at: number) => void;
}

/** Arrow keys move, Escape and a click beside the picture close it. Focus returns to the picture that opened it. */
function Viewer({ ref, screenshots, at, onMove }: ViewerProps) {
  const shown = screenshots[at];
  const move = (by: number) => onMove((at + by + screenshots.length) % screenshots.length);
  const close = () => ref.current?.close();
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowRight") move(1);
    if (key === "ArrowLeft") move(-1);
  };
  return (
    <dialog
      ref={ref}
      aria-label="Screenshots"
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        if (target === ref.current) close();
      }}
      className="m-auto max-h-[92dvh] w-[min(96vw,68.75rem)] overflow-hidden rounded-card border border-line bg-raised p-0 text-ink shadow-high backdrop:bg-black/60"
    >
      {shown !== undefined && (
        <figure className="flex max-h-[92dvh] flex-col">
          <Picture
            screenshot={shown}
            alt={name(shown, at)}
            className="min-h-[40dvh] w-full flex-1 object-contain"
            eager
          />
          <figcaption className="flex items-center gap-2 border-t border-line px-3 py-2 text-small">
            <span aria-live="polite" className="min-w-0 flex-1">
              <UserText>{name(shown, at)}</UserText>{" "}
              <span className="text-ink-faint tabular-nums">
                {at + 1} of {screenshots.length}
              </span>
            </span>
            {screenshots.length > 1 && (
              <>
                <ViewerButton label="Previous screenshot" icon={ChevronLeft} onClick={() => move(-1)} />
                <ViewerButton label="Next screenshot" icon={ChevronRight} onClick={() => move(1)} />
              </>
            )}
            <ViewerButton label="Close" icon={X} onClick={close} />
          </figcaption>
        </figure>
      )}
    </dialog>
  );
}

function ViewerButton({
  label,
  icon: Icon,
  onClick,
}: {
  label: string;
  icon: typeof X;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="flex size-9 shrink-0 cursor-pointer items-center justify-center rounded-field text-ink-soft hover:bg-hover hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}

function Picture({
  screenshot,
  alt,
  className,
  eager = false,
}: {
  screenshot: Screenshot;
  /** Empty in a button that has its name. */
  alt: string;
  className: string;
  eager?: boolean;
}) {
  return (
    // eslint-disable-next-line @next/next/no-img-element -- It has its final size and format already.
    <img
      src={imagePath(screenshot.image)}
      alt={alt}
      loading={eager ? "eager" : "lazy"}
      decoding="async"
      className={className}
    />
  );
}
