"use client";

/** What few visitors of a page get: their code is loaded with them, and not with the page. */
import { lazyShown } from "@/components/ui/lazy-shown";

export const AllowButton = lazyShown(async () => (await import("./launch-rules")).AllowButton);

export const LeavePilotButton = lazyShown(
  async () => (await import("@/components/catalog/listings/pilots-card")).LeavePilotButton,
);

export const RequestForm = lazyShown(async () => (await import("./request-form")).RequestForm);

export const ApprovedNotice = lazyShown(async () => (await import("./request-form")).ApprovedNotice);

export const PilotGate = lazyShown(async () => (await import("../launch/pilot-agreement")).PilotGate);
