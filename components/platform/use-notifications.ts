import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { ReadInput } from "@/lib/contract/platform/notification";

const NEWEST = ["notifications"] as const;
const EVERY_MS = 60_000;

/** The newest notifications, read again every minute while the page is seen, and when it is seen again. */
export function useNewest() {
  return useQuery({
    queryKey: NEWEST,
    // Every page has the bell, so what it needs is loaded after the page.
    queryFn: async ({ signal }) => (await import("./notification-calls")).fetchNewest(signal),
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: true,
    staleTime: EVERY_MS / 2,
  });
}

/** Marks notifications as read, in the bell and on the page. */
export function useMarkRead() {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async (input: ReadInput) => (await import("./notification-calls")).markRead(input),
    onSuccess: async () => {
      router.refresh();
      await client.invalidateQueries({ queryKey: NEWEST });
    },
  });
}
