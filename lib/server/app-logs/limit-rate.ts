/** How much of an instance's log is stored. Pure: it counts by the times of the lines, so that it is the same at each read. */

/** In each second; what a quiet app leaves is saved up to `MOST`, for a start or the trace of an error. */
export const LINES_PER_SECOND = 200;
const BYTES_PER_SECOND = 64 * 1024;
const MOST_LINES = 1_000;
const MOST_BYTES = 512 * 1024;

const SECOND_NS = 1_000_000_000n;

/** Whether a line is stored. After the first that is not, none is until the next second: there is one gap, not many. */
export function createRateLimit(): (at: bigint, bytes: number) => boolean {
  let second = 0n;
  let lines = MOST_LINES;
  let bytes = MOST_BYTES;
  let isFull = false;
  return (at, size) => {
    const now = at / SECOND_NS;
    if (now > second) {
      const passed = Number(now - second);
      lines = Math.min(MOST_LINES, lines + passed * LINES_PER_SECOND);
      bytes = Math.min(MOST_BYTES, bytes + passed * BYTES_PER_SECOND);
      second = now;
      isFull = false;
    }
    if (isFull || lines < 1 || bytes < size) {
      isFull = true;
      return false;
    }
    lines -= 1;
    bytes -= size;
    return true;
  };
}
