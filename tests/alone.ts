/** Test files that mock modules. All others share theirs, so that a mock would come too late in one file, or stay in the next. */
export const ALONE = [
  "lib/server/catalog/publish/uploads.test.ts",
  "lib/server/surface/metrics/metrics.test.ts",
  "tests/docs/page-size.test.ts",
];
