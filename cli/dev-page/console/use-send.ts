import { useMutation } from "@tanstack/react-query";
import type { DevCall, DevCallInput } from "@/cli/dev/contract/calls";
import { callApi } from "@/lib/client/api";
import { editablePayload } from "@/lib/domain/sample-payload";

/** Sends calls side by side. `onSent` gets their ids, in the same order. */
export function useSend(onSent: (ids: readonly string[]) => void) {
  return useMutation({
    mutationFn: (calls: readonly DevCallInput[]) => Promise.all(calls.map(send)),
    onMutate: () => onSent([]),
    onSuccess: (calls) => onSent(calls.map(({ id }) => id)),
  });
}

function send(call: DevCallInput): Promise<DevCall> {
  return callApi("POST", "/api/dev/calls", {
    body: call,
    answer: async () => (await import("@/cli/dev/contract/calls")).devCall,
  });
}

/** The same call once more. An event gets a new id, so that the app doesn't take it for a repeated delivery. */
export function again({ customerId, route, kind, name, request }: DevCall): DevCallInput {
  const { method, path, body } = request;
  const isEndpoint = kind === "endpoint";
  return {
    customerId,
    route,
    name: name ?? undefined,
    method: isEndpoint ? method : undefined,
    path: isEndpoint ? path : undefined,
    payload: body === null ? undefined : readPayload(kind, body),
  };
}

function readPayload(kind: DevCall["kind"], body: string): DevCallInput["payload"] {
  try {
    return JSON.parse(editablePayload(kind, body));
  } catch {
    // An endpoint takes any text.
    return body;
  }
}
