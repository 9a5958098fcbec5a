"use client";

import { lazyDialog } from "./lazy-dialog";

/** For pages. Code that is loaded on demand itself imports the dialogs directly, so that it opens without a network. */
export const ConfirmDialog = lazyDialog(async () => (await import("./confirm-dialog")).ConfirmDialog);
export const Dialog = lazyDialog(async () => (await import("./dialog")).Dialog);
