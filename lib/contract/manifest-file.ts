/** The manifest's file name, at the root of the image. Apart from `names.ts`, so that the command line starts without its validators. */
export const MANIFEST_FILE = "platform-app.json";
