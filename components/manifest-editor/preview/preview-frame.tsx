import type { ReactNode, Ref } from "react";
import type { LaunchOffer } from "@/components/launch/launch-offer";
import type { PreviewState } from "./preview-values";

interface PreviewFrameProps {
  ref: Ref<HTMLDivElement>;
  width: PreviewState["width"];
  offer: LaunchOffer;
  children: ReactNode;
}

/** The launch page in a box as wide as the screen that it stands for; on a smaller screen, as wide as that. */
export function PreviewFrame({ ref, width, offer, children }: PreviewFrameProps) {
  const isPhone = width === "phone";
  return (
    <div
      ref={ref}
      className={`mx-auto w-full min-w-0 scroll-mt-40 rounded-card border border-line-strong bg-ground shadow-high ${
        isPhone ? "max-w-[390px] p-4 py-6" : "max-w-5xl p-4 sm:p-8"
      }`}
    >
      <header className="mb-6">
        <h2 className="text-2xl font-semibold tracking-tight break-words text-ink">
          Launch <bdi>{offer.title}</bdi>
        </h2>
        <p className="mt-1 text-ink-soft">
          {offer.number !== "" && (
            <>
              Version <bdi>{offer.number}</bdi>{" "}
            </>
          )}
          by {offer.publisherName}
        </p>
      </header>
      {children}
    </div>
  );
}
