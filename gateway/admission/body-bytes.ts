import type { IncomingMessage } from "node:http";
import { Problem } from "@/lib/contract/problem";
import type { Budget } from "@/lib/server/limits/budget";

const accounts = new WeakMap<IncomingMessage, (bytes: number) => void>();

/** Charges what is kept in memory of a request's body to its caller. Returns what ends that. */
export function openBodyAccount(request: IncomingMessage, budget: Budget, key: string): () => void {
  let charged = 0;
  accounts.set(request, (bytes) => {
    if (!budget.take(key, bytes))
      throw new Problem(
        "TOO_MANY_REQUESTS",
        "Your requests at once have too much data. Wait for some of them to be answered, or send smaller ones.",
      );
    charged += bytes;
  });
  return () => {
    accounts.delete(request);
    if (charged > 0) budget.give(key, charged);
    charged = 0;
  };
}

/** Throws TOO_MANY_REQUESTS if the caller's requests already keep too much in memory. */
export function chargeBody(request: IncomingMessage, bytes: number): void {
  accounts.get(request)?.(bytes);
}
