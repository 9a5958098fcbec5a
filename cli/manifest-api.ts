/** The draft of an app's manifest, as the gateway offers it. */
import {
  pulledDraft,
  pushedDraft,
  type PulledDraft,
  type PushDraftInput,
  type PushedDraft,
} from "@/lib/contract/manifest-draft";
import { call } from "./call-platform";
import type { Credentials } from "./credentials";

/** `name`: `<org-name>/<app-name>`. */
export function pullDraft(credentials: Credentials, name: string): Promise<PulledDraft> {
  return call(credentials, pulledDraft, pathOf(name), { method: "GET" });
}

export function pushDraft(
  credentials: Credentials,
  name: string,
  input: PushDraftInput,
): Promise<PushedDraft> {
  const headers = { "content-type": "application/json" };
  return call(credentials, pushedDraft, pathOf(name), {
    method: "PUT",
    headers,
    body: JSON.stringify(input),
  });
}

function pathOf(name: string): string {
  return `/publish/v1/apps/${name}/manifest`;
}
