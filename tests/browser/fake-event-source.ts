/** Stands in for EventSource: a test says what the server sends. */
import { onTestFinished, vi } from "vitest";

export class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];
  readyState = 1;

  constructor(readonly url: string) {
    super();
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  send(event: string, lastEventId: string, data: unknown = null): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data), lastEventId }));
  }

  /** The connection is lost, or refused for good. */
  fail({ forGood }: { forGood: boolean }): void {
    this.readyState = forGood ? FakeEventSource.CLOSED : 0;
    this.dispatchEvent(new Event("error"));
  }
}

/** Until the test ends. The last stream that is open is the one that counts. */
export function fakeEventSource() {
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    last: () => FakeEventSource.opened.findLast(({ readyState }) => readyState !== FakeEventSource.CLOSED),
  };
}
