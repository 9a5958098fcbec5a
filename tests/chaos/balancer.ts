/** Sends each request to a healthy gateway, as a load balancer does that follows `GET /health`. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { send, type Answer } from "./core";
import type { Deliver } from "./load";

const CHECK_MS = 100;
const TRIES = 100;

export class Balancer implements AsyncDisposable {
  private readonly agent = new Agent();
  private readonly healthy = new Set<string>();
  private turn = 0;
  private readonly checks: Promise<void>[];
  private isOver = false;
  /** Requests that a gateway took and did not answer, or answered with an error. */
  readonly dropped: string[] = [];

  constructor(urls: readonly string[]) {
    this.checks = urls.map((url) => this.check(url));
  }

  async untilHealthy(url: string): Promise<void> {
    while (!this.healthy.has(url)) await sleep(20);
  }

  /** Only a refused connection is tried again, with the other gateway: nothing of the request was sent. */
  readonly deliver: Deliver = async (method, path, authorization, body) => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const url = this.choose();
      if (url !== undefined) {
        const answer = await this.send(url, () => send(method, url + path, authorization, body, this.agent));
        if (answer !== "refused") return answer;
      }
      await sleep(CHECK_MS / 2);
    }
    this.dropped.push(`${method} ${path}: no gateway is healthy`);
    return undefined;
  };

  private choose(): string | undefined {
    const urls = [...this.healthy];
    this.turn += 1;
    return urls[this.turn % urls.length];
  }

  private async send(url: string, attempt: () => Promise<Answer>): Promise<Answer | undefined | "refused"> {
    try {
      const answer = await attempt();
      if (answer.status >= 300) this.dropped.push(`${answer.status} ${answer.text}`);
      return answer;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ECONNREFUSED") {
        this.healthy.delete(url);
        return "refused";
      }
      this.dropped.push(String(error));
      return undefined;
    }
  }

  private async check(url: string): Promise<void> {
    while (!this.isOver) {
      const isHealthy = await request(`${url}/health`, { headersTimeout: 1_000, reset: true }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode === 200;
        },
        () => false,
      );
      if (isHealthy) this.healthy.add(url);
      else this.healthy.delete(url);
      await sleep(CHECK_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true;
    await Promise.all(this.checks);
    await this.agent.close();
  }
}
