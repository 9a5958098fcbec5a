import type { IncomingMessage } from "node:http";
import { Problem } from "@/lib/contract/problem";
import type { Budget } from "@/lib/server/limits/budget";
import { overloaded } from "./explain-refusal";

const RETRY_AFTER_SECONDS = 1;
const TOO_MUCH =
  "Your requests in progress contain too much data in total. Wait for some of them to finish, or send smaller ones.";

const accounts = new WeakMap<IncomingMessage, (bytes: number) => void>();

/** Charges the memory of a request's body to its caller. Returns a function that ends the charge. */
export function openBodyAccount(request: IncomingMessage, budget: Budget, key: string): () => void {
  let charged = 0;
  accounts.set(request, (bytes) => {
    const full = budget.take(key, bytes);
    if (full === "total") throw overloaded("large requests", RETRY_AFTER_SECONDS);
    if (full === "key") throw new Problem("TOO_MANY_REQUESTS", TOO_MUCH, [], RETRY_AFTER_SECONDS);
    charged += bytes;
  });
  return () => {
    accounts.delete(request);
    if (charged > 0) budget.give(key, charged);
    charged = 0;
  };
}

/** Throws TOO_MANY_REQUESTS if the caller's requests keep too much in memory, OVERLOADED if those of all callers do. */
export function chargeBody(request: IncomingMessage, bytes: number): void {
  accounts.get(request)?.(bytes);
}
