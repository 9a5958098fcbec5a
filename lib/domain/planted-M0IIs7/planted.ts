import { readState } from "@/lib/server/state/read-state";
export const planted = readState;