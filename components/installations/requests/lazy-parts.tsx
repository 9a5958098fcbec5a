"use client";

/** What few visitors of a page get: their code is loaded with them, and not with the page. */
import dynamic from "next/dynamic";

export const AllowButton = dynamic(async () => (await import("./launch-rules")).AllowButton);

export const LeavePilotButton = dynamic(
  async () => (await import("@/components/catalog/listings/pilots-card")).LeavePilotButton,
);

export const RequestForm = dynamic(async () => (await import("./request-form")).RequestForm);

export const ApprovedNotice = dynamic(async () => (await import("./request-form")).ApprovedNotice);

export const PilotGate = dynamic(async () => (await import("../launch/pilot-agreement")).PilotGate);
