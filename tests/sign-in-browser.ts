import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor } from "@/lib/domain/platform/actor";
import { CLIENT_ADDRESS } from "@/lib/server/platform/requests/read-request";
import {
  authOptions,
  checkSignInRequest,
  currentActor,
  withLocalCallback,
} from "@/lib/server/surface/web/session";
import { scope, type Sender } from "./request-scope";

export interface Answer {
  status: number;
  /** Where it redirects to; next-auth's client gets it in the body. */
  location: string;
  body: unknown;
}

/** A browser that asks next-auth, as our route handler lets it, through its handler that needs no Next. */
export class SignInBrowser implements Sender {
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string>;

  constructor(
    private readonly webUrl: string,
    network = "203.0.113.1",
  ) {
    this.headers = { [CLIENT_ADDRESS]: network, "user-agent": "Mozilla/5.0 Firefox/140.0" };
  }

  get(path: string): Promise<Answer> {
    return this.send("GET", path);
  }

  /** A form of one of our pages, unless `headers` say otherwise. */
  async post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { body } = await this.get("csrf");
    const csrfToken = isRecord(body) ? String(body.csrfToken) : "";
    return this.send("POST", path, { csrfToken, json: "true", ...fields }, headers);
  }

  /** The error in the address to which a failed sign-in leads; empty if it worked. */
  async signIn(fields: Record<string, string>): Promise<string> {
    const { location } = await this.post("callback/credentials", fields);
    return new URL(location, this.webUrl).searchParams.get("error") ?? "";
  }

  /** Who the platform takes this browser for. */
  actor(): Promise<Actor | undefined> {
    scope.sender = this;
    return currentActor();
  }

  async send(
    method: "GET" | "POST",
    path: string,
    fields?: Record<string, string>,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    scope.sender = this;
    const text = fields === undefined ? undefined : new URLSearchParams(fields).toString();
    const form: Record<string, string> =
      text === undefined
        ? {}
        : {
            origin: this.webUrl,
            "content-type": "application/x-www-form-urlencoded",
            "content-length": String(text.length),
          };
    const headers = { ...this.headers, ...form, ...more };
    const url = `${this.webUrl}/api/auth/${path}`;
    try {
      checkSignInRequest(new NextRequest(url, { method, body: text, headers }), this.webUrl);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { status: error.status, location: "", body: error.body() };
    }
    const { nextUrl } = withLocalCallback(new NextRequest(url), this.webUrl);
    const nextauth = nextUrl.pathname.split("/").slice(3);
    const query = { ...Object.fromEntries(nextUrl.searchParams), nextauth };
    const cookies = Object.fromEntries(this.cookies);
    return this.ask({ method, query, body: fields, cookies, headers });
  }

  private async ask(request: object): Promise<Answer> {
    const answer: Answer = { status: 200, location: "", body: undefined };
    const response = {
      status: (status: number) => Object.assign(answer, { status }) && response,
      getHeader: () => undefined,
      setHeader: (name: string, value: unknown) => {
        if (name.toLowerCase() === "set-cookie") this.keep([value].flat().map(String));
        if (name.toLowerCase() === "location") answer.location = String(value);
      },
      json: (body: unknown) => {
        answer.body = body;
        if (isRecord(body) && typeof body.url === "string") answer.location = body.url;
      },
      send: (body: unknown) => void (answer.body = body),
      end: () => undefined,
    };
    const handle: (request: object, response: object) => Promise<void> = NextAuth(authOptions());
    await handle(request, response);
    return answer;
  }

  private keep(lines: string[]): void {
    for (const line of lines) {
      const [pair = ""] = line.split(";");
      const [name = "", ...value] = pair.split("=");
      if (value.join("=") === "" || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, decodeURIComponent(value.join("=")));
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
