"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import { callApi } from "@/lib/client/api";
import type { CommentInput, CommentView } from "@/lib/contract/moderation/review";
import { type Thread, toThreads } from "@/lib/domain/moderation/review";

const REFETCH_MS = 5_000;

interface Conversation {
  reviewId: string;
  threads: Thread<CommentView>[];
  /** This reader may write: a moderator of another organization, or the publisher. */
  mayWrite: boolean;
}

const ConversationContext = createContext<Conversation | undefined>(undefined);

interface ReviewCommentsProps {
  reviewId: string;
  /** As the page was rendered. */
  initial: CommentView[];
  mayWrite: boolean;
  children: ReactNode;
}

/** The comments of one review, live, for every part of the page that shows some of them. */
export function ReviewComments({ reviewId, initial, mayWrite, children }: ReviewCommentsProps) {
  const { data } = useQuery({
    queryKey: queryKey(reviewId),
    queryFn: ({ signal }) =>
      callApi("GET", `/api/reviews/${reviewId}/comments`, {
        answer: async () => (await import("@/lib/contract/moderation/review")).commentList,
        signal,
      }),
    initialData: { comments: initial },
    refetchInterval: REFETCH_MS,
    refetchOnWindowFocus: true,
  });
  return (
    <ConversationContext value={{ reviewId, mayWrite, threads: toThreads(data.comments) }}>
      {children}
    </ConversationContext>
  );
}

export function useConversation(): Conversation {
  const conversation = use(ConversationContext);
  if (conversation === undefined) throw new Error("comments need ReviewComments around them");
  return conversation;
}

const queryKey = (reviewId: string) => ["review-comments", reviewId];

/** Each resolves once the page shows the change. */
export function useCommentChanges() {
  const { reviewId } = useConversation();
  const client = useQueryClient();
  const path = `/api/reviews/${reviewId}/comments`;
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKey(reviewId) });
  const write = useMutation({
    mutationFn: (input: CommentInput) => callApi("POST", path, { body: input }),
    onSuccess,
  });
  const edit = useMutation({
    mutationFn: ({ id, body }: { id: string; body: string }) =>
      callApi("PUT", `${path}/${id}`, { body: { body } }),
    onSuccess,
  });
  const settle = useMutation({
    mutationFn: ({ id, resolved }: { id: string; resolved: boolean }) =>
      callApi("PUT", `${path}/${id}/resolution`, { body: { resolved } }),
    onSuccess,
  });
  return { write, edit, settle };
}
