/**
 * A route of the gateway: its name, whom it admits, what it takes and answers, and its handler. The gateway serves the routes of
 * `all-routes.ts`, and `describe-api.ts` writes the OpenAPI document from them.
 */
import * as z from "zod";
import { checkInput, type ProblemCode } from "@/lib/contract/platform/problem";
import type { Credential } from "./credentials";
import { answerJson, answerText, type Exchange, readJson, readJsonText } from "./exchange";

/** The gateway's work, in classes that never wait for each other. */
export const WORK_CLASSES = ["state", "calls", "events", "endpoints", "uploads", "streams", "other"] as const;
export type WorkClass = (typeof WORK_CLASSES)[number];

/** Method and path. `<name>` stands for a segment, `<name...>` for the rest of the path, and `ANY` for every method. */
export type RouteName = `${"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY"} /${string}`;

export interface Content {
  type: string;
  schema: z.ZodType;
  example?: unknown;
}

interface Body<Value> {
  content: Content;
  problems: readonly ProblemCode[];
  read: (exchange: Exchange) => Promise<Value> | Value;
}

interface Answer<Value> {
  /** Undefined for a response without a body. */
  content?: Content;
  send: (exchange: Exchange, status: number, value: Value) => Promise<void> | void;
}

const JSON_PROBLEMS = ["BAD_INPUT", "TOO_SLOW", "TOO_LARGE", "WRONG_MEDIA_TYPE"] as const;

/** @param limit of a body, in bytes; 1 MiB by default */
export function json<Schema extends z.ZodType>(
  schema: Schema,
  example?: unknown,
  limit?: number,
): Body<z.output<Schema>> & Answer<z.input<Schema>> {
  return {
    content: { type: "application/json", schema, example },
    problems: JSON_PROBLEMS,
    read: (exchange) => readJson(exchange, schema, limit),
    send: ({ response }, status, value) => answerJson(response, status, value),
  };
}

/** JSON that the handler takes or returns as text. */
export function jsonText(schema: z.ZodType, example?: unknown): Body<string> & Answer<string> {
  return {
    content: { type: "application/json", schema, example },
    problems: JSON_PROBLEMS,
    read: (exchange) => readJsonText(exchange),
    send: ({ response }, status, text) => answerText(response, status, text),
  };
}

/** A body that the handler reads itself, or a response that it writes itself. */
export function raw(
  type: string,
  schema: z.ZodType = z.unknown(),
  example?: unknown,
): Body<undefined> & Answer<void> {
  const content = { type, schema, example };
  return { content, problems: [], read: () => undefined, send: () => undefined };
}

/** A response without a body. The handler may return headers. */
export const NOTHING: Answer<Record<string, string> | void> = {
  send: ({ response }, status, headers) => {
    response.writeHead(status, { "cache-control": "no-store", ...headers });
    response.end();
  },
};

interface Asked<Caller, Query, Input> extends Exchange {
  /** Whom the credential identifies. */
  caller: Caller;
  query: Query;
  body: Input;
}

interface Definition<Name extends RouteName, Caller, Query extends z.ZodObject, Input, Output> {
  name: Name;
  credential: Credential<Caller>;
  /** Whose places and turns its requests take. `other` by default. */
  work?: WorkClass;
  /** In the imperative. */
  summary: string;
  description?: string;
  /** Of the path's placeholders, besides `<organization>` and `<app>`. */
  parameters?: Record<string, string>;
  query?: Query;
  body?: Body<Input>;
  /** Of the response on success. 200 by default. */
  status?: number;
  answer: Answer<Output>;
  /** Besides those that any route can have, and those of its credential, query and body. */
  problems?: readonly ProblemCode[];
  run: (asked: Asked<Caller, z.output<Query>, Input>) => Promise<NoInfer<Output>> | NoInfer<Output>;
}

type AnyDefinition = Definition<RouteName, unknown, z.ZodObject, unknown, unknown>;

export interface Route<Name extends RouteName = RouteName> extends Omit<AnyDefinition, "run"> {
  name: Name;
  work: WorkClass;
  /** Answers a request, or throws a `Problem`. */
  handle: (exchange: Exchange) => Promise<void>;
}

const NO_QUERY = {};

/** Identifies the caller before anything of the request is read. Query and body are checked before the handler runs. */
export function route<const Name extends RouteName, Caller, Query extends z.ZodObject, Input, Output>(
  definition: Definition<Name, Caller, Query, Input, Output>,
): Route<Name>;
export function route({ run, ...definition }: AnyDefinition): Route {
  const { credential, work = "other", query, body, status = 200, answer } = definition;
  return {
    ...definition,
    work,
    handle: async (exchange) => {
      const caller = await credential.identify(exchange);
      const { platform, request, response, parts, search, isDraining, chargeBody } = exchange;
      // Each by its name: a spread costs more than all else here.
      const asked = {
        platform,
        request,
        response,
        parts,
        search,
        isDraining,
        chargeBody,
        caller,
        // The last value of a repeated parameter counts.
        query: query === undefined ? NO_QUERY : checkInput(query, Object.fromEntries(search)),
        body: body === undefined ? undefined : await body.read(exchange),
      };
      await answer.send(exchange, status, await run(asked));
    },
  };
}

/** For examples. */
export const SAMPLE = {
  id: "019ab0c1-7e2d-7000-8000-000000000001",
  at: "2026-01-31T12:00:00.000Z",
  page: "https://platform.example/publish/vin-lookup",
};
