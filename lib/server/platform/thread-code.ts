/** Tests run the sources, and a thread doesn't inherit what lets its process do so. */
const LOAD_TSX = 'import("tsx/esm/api").then((tsx) => tsx.register())';

/**
 * What starts a thread, for `new Worker(…, { eval: true })`. Somebody waits for what the main thread does, so it gets three times the
 * processor time of this one, even while this one loads its code. Systems other than Linux would slow down the whole process.
 * @param moduleUrl `import.meta.url` of the module that starts it
 * @param source the thread's file beside that module, such as `inspect-upload-thread.ts`
 * @param bundle the thread's name in `.build` (`launcher/build.mjs`), where every module is in a bundle beside it
 */
export function threadCode(
  moduleUrl: string,
  { source, bundle }: { source: string; bundle: string },
): string {
  const isSource = moduleUrl.endsWith(".ts");
  const code = new URL(isSource ? `./${source}` : `./${bundle}.js`, moduleUrl).href;
  return `
    if (process.platform === "linux") require("node:os").setPriority(5);
    ${isSource ? LOAD_TSX : "Promise.resolve()"}.then(() => import("${code}"));
  `;
}
