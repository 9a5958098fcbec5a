import type { Build } from "./bundling/fingerprint.mjs";

export function describeCliBuild(): Build;
