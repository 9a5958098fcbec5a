import { useMutation } from "@tanstack/react-query";
import { Trash2, WandSparkles } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import type { DevCustomer } from "@/cli/dev/contract/customers";
import { callApi } from "@/lib/client/api";
import { useConnection } from "../connection/dev-context";

/** Who the customer is, and what can be done with all of its answers. */
export function CustomerHeader({ customer }: { customer: DevCustomer }) {
  const { id, name, tenantHostName, coreApiUrl, revision } = customer;
  const [asking, setAsking] = useState<"invent" | "remove">();
  const isLive = useConnection() === "live";
  const close = () => setAsking(undefined);
  const invent = useMutation({
    mutationFn: () => callApi("POST", `/api/dev/customers/${id}/invent`),
    onSuccess: close,
  });
  const remove = useMutation({
    mutationFn: () => callApi("DELETE", `/api/dev/customers/${id}`),
    onSuccess: close,
  });
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h2 className="text-lg font-semibold tracking-tight wrap-anywhere text-ink">{name}</h2>
        <p className="text-[13px] leading-5 wrap-anywhere text-ink-faint">
          Tenant <span className="font-mono">{tenantHostName}</span>, core{" "}
          <span className="font-mono">{coreApiUrl}</span>, revision {revision}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onPress={() => setAsking("invent")} isDisabled={!isLive}>
          <WandSparkles aria-hidden className="size-4" />
          Fill with made-up answers
        </Button>
        <Button size="small" tone="quiet" onPress={() => setAsking("remove")} isDisabled={!isLive}>
          <Trash2 aria-hidden className="size-4" />
          Remove
        </Button>
      </div>
      <ConfirmDialog
        isOpen={asking === "invent"}
        onOpenChange={close}
        title={`Replace the answers of ${name}?`}
        confirmText="Replace"
        tone="primary"
        onConfirm={() => invent.mutate()}
        isPending={invent.isPending}
        error={invent.error}
      >
        Every setting, secret, and mapping gets a made-up answer. The current answers are lost.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asking === "remove"}
        onOpenChange={close}
        title={`Remove ${name}?`}
        confirmText="Remove"
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        error={remove.error}
      >
        Its answers are deleted. You can add another customer at any time.
      </ConfirmDialog>
    </header>
  );
}
