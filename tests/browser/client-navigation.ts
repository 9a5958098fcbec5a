/** Stands in for lib/client/navigation in component tests: nothing leaves the page that runs the tests. */
import { vi } from "vitest";

export { rightAddress } from "../../lib/client/navigation";

export const leaveFor = vi.fn<(path: string) => void>();
