import type * as z from "zod";
import type { ProblemCode } from "@/lib/contract/platform/problem";

export interface Content {
  type: string;
  schema: z.ZodType;
  example?: unknown;
}

/** A response without a body. */
export const NOTHING = "nothing";

export interface Operation {
  tag: "State" | "Core" | "Endpoints" | "Publish" | "Platform";
  /** In the imperative. */
  summary: string;
  description?: string;
  /** Of the `<…>` placeholders, in order. */
  parameters?: Record<string, string>;
  query?: z.ZodObject;
  body?: Content;
  /** The response on success. */
  status: number;
  answer: Content | typeof NOTHING;
  /** Besides those that any route can have. */
  problems: readonly ProblemCode[];
}

export const json = (schema: z.ZodType, example?: unknown) => ({ type: "application/json", schema, example });

export const APP = { organization: "The publishing organization's slug.", app: "The app's name." };

/** What any route with a JSON body can refuse. */
export const BODY: readonly ProblemCode[] = ["BAD_INPUT", "TOO_SLOW", "TOO_LARGE", "WRONG_MEDIA_TYPE"];
