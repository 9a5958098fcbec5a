/** Decides when an upload is checked: one of each organization at a time, so that none can keep the others waiting. */
const MOST_AT_ONCE = 2;

interface Turn {
  organizationId: string;
  start: () => void;
}

const waiting: Turn[] = [];
const checked = new Set<string>();

/** Resolves when it is the organization's turn. The caller must call the returned function afterwards. */
export function takeTurn(organizationId: string, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(turn), 1);
      reject(signal.reason);
    };
    const turn: Turn = {
      organizationId,
      start: () => {
        signal.removeEventListener("abort", leave);
        resolve(() => {
          checked.delete(organizationId);
          startNext();
        });
      },
    };
    waiting.push(turn);
    signal.addEventListener("abort", leave);
    if (signal.aborted) return leave();
    startNext();
  });
}

function startNext(): void {
  while (checked.size < MOST_AT_ONCE) {
    const at = waiting.findIndex(({ organizationId }) => !checked.has(organizationId));
    const [turn] = at < 0 ? [] : waiting.splice(at, 1);
    if (turn === undefined) return;
    checked.add(turn.organizationId);
    turn.start();
  }
}
