"use client";

import { type ReactNode, useState } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "../button";
import { ProblemNotice } from "../problem-notice";
import { TextField } from "./fields";

interface ConfirmDialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** Text that the user must type before confirming. */
  typeToConfirm?: string;
  confirmText: string;
  tone?: "danger" | "primary";
  onConfirm: () => void;
  isPending?: boolean;
  error?: unknown;
}

export function ConfirmDialog({ isOpen, onOpenChange, ...rest }: ConfirmDialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={rest.isPending !== true}
      className="fixed inset-0 z-50 flex items-end justify-center bg-veil p-4 sm:items-center"
    >
      <Modal className="w-full max-w-md arrive rounded-card border border-line bg-raised shadow-high">
        <Dialog role="alertdialog" className="p-6 outline-none">
          <ConfirmBody {...rest} onCancel={() => onOpenChange(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

type BodyProps = Omit<ConfirmDialogProps, "isOpen" | "onOpenChange"> & { onCancel: () => void };

function ConfirmBody({
  title,
  children,
  typeToConfirm,
  confirmText,
  tone = "danger",
  onConfirm,
  onCancel,
  isPending,
  error,
}: BodyProps) {
  const [typed, setTyped] = useState("");
  const ready = typeToConfirm === undefined || typed.trim() === typeToConfirm;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && isPending !== true) onConfirm();
      }}
      className="flex min-w-0 flex-col gap-4 wrap-anywhere"
    >
      <Heading slot="title" className="text-base font-semibold text-ink">
        {title}
      </Heading>
      <div className="text-sm text-ink-soft">{children}</div>
      {typeToConfirm !== undefined && (
        <TextField
          label={`Type ${typeToConfirm} to confirm`}
          isRequired
          mono
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          autoFocus
        />
      )}
      <ProblemNotice error={error} />
      <div className="flex justify-end gap-2">
        <Button onPress={onCancel} isDisabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" tone={tone} isDisabled={!ready} isPending={isPending}>
          {confirmText}
        </Button>
      </div>
    </form>
  );
}
