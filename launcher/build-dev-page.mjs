// Builds the page of `platform-app dev` into one file: script, style and fonts inside, nothing to load.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, stop, transform } from "esbuild";
import { compile } from "tailwindcss";
import { replaceFile } from "./build-if-changed.mjs";

/** Not `import.meta.resolve`, which Vitest's set-up does not have. */
const { resolve } = createRequire(import.meta.url);
const ROOT = path.join(import.meta.dirname, "..");
const SOURCES = "cli/dev-page";
const OUTPUT = "cli/dist/dev-page.html";
const STYLE_PACKAGES = ["@fontsource-variable/geist", "@fontsource-variable/geist-mono", "tailwindcss"];
/** What browsers of the last years understand: they know nesting in style sheets, or esbuild writes it out. */
const TARGET = ["chrome111", "firefox128", "safari16.4"];
/** Other scripts fall back to fonts of the system: the page would be twice as large with all of them. */
const LATIN = /\/\* geist(-mono)?-latin-wght-normal \*\/\s*@font-face \{[^}]+\}/;

/** Writes the page, and returns the paths of everything that is in it. */
export async function buildDevPage() {
  const { script, inputs } = await bundleScript();
  const style = await compileStyle(inputs.filter((file) => !file.includes("node_modules")));
  const page = await fillPage({ first: await readFirstScripts(), script, style });
  replaceFile({ path: path.join(ROOT, OUTPUT), contents: Buffer.from(page) });
  return [...inputs, ...STYLE_PACKAGES.map((name) => `node_modules/${name}/package.json`)];
}

async function bundleScript() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`${SOURCES}/main.tsx`],
    bundle: true,
    minify: true,
    format: "esm",
    target: TARGET,
    jsx: "automatic",
    write: false,
    metafile: true,
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    // The product's components ask Next for the URL and for links; here, a few lines answer.
    alias: {
      "next/navigation": `./${SOURCES}/frame/next-navigation.ts`,
      "next/link": `./${SOURCES}/frame/next-link.tsx`,
    },
    logLevel: "error",
  });
  return { script: forHtml(outputFiles[0].text), inputs: Object.keys(metafile.inputs) };
}

/** An HTML parser would read these inside a script, too. esbuild escapes the end of the element itself. */
function forHtml(script) {
  return script.replaceAll("<!--", String.raw`\x3C!--`).replaceAll(/<(script)/gi, String.raw`\x3C$1`);
}

/** The product's style sheet, with the classes that these files name. */
async function compileStyle(sources) {
  const globals = path.join(ROOT, "app/globals.css");
  const base = path.dirname(globals);
  const { build: select } = await compile(await readFile(globals, "utf8"), {
    base,
    loadStylesheet,
    loadModule: async (id) => ({ path: id, base, module: (await import(id)).default }),
  });
  const texts = await Promise.all(sources.map((file) => readFile(path.join(ROOT, file), "utf8")));
  const words = new Set(texts.flatMap((text) => text.split(/[\s"`]+/)));
  const { code } = await transform(select([...words]), { loader: "css", minify: true, target: TARGET });
  return code;
}

async function loadStylesheet(id) {
  const file = resolve(id === "tailwindcss" ? "tailwindcss/index.css" : id);
  const content = await readFile(file, "utf8");
  const folder = path.dirname(file);
  return {
    path: file,
    base: folder,
    content: id.startsWith("@fontsource") ? await inlineFont(content, folder) : content,
  };
}

async function inlineFont(css, folder) {
  const [face] = css.match(LATIN) ?? [];
  const [, file] = face?.match(/url\((.+?)\)/) ?? [];
  if (face === undefined || file === undefined) throw new Error(`There is no Latin font in ${folder}.`);
  const font = await readFile(path.join(folder, file), "base64");
  return face.replace(file, `data:font/woff2;base64,${font}`);
}

/** The product's scripts that run before anything is drawn: one applies the chosen theme, one lets browsers translate the page. */
async function readFirstScripts() {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { APPLY_THEME } from "./components/surface/theme-switch";
        export { SURVIVE_TRANSLATION } from "./lib/client/translated-text";`,
      resolveDir: ROOT,
    },
    bundle: true,
    format: "esm",
    jsx: "automatic",
    write: false,
    logLevel: "error",
  });
  const source = `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`;
  const { APPLY_THEME, SURVIVE_TRANSLATION } = await import(source);
  return APPLY_THEME + SURVIVE_TRANSLATION;
}

async function fillPage({ first, script, style }) {
  const icon = await readFile(path.join(ROOT, "app/icon.svg"), "base64");
  // Only these two scripts run. React Aria adds style elements, so styles are not restricted. Who may frame the page is in a
  // header (cli/dev/answer-api.ts), because browsers ignore it here.
  const policy = [
    "default-src 'none'",
    `script-src ${[first, script].map(hash).join(" ")}`,
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>platform-app dev</title>
<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${icon}">
<script>${first}</script>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hash(script) {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildDevPage();
  console.log(`${OUTPUT}: ${Math.round(statSync(path.join(ROOT, OUTPUT)).size / 1024)} KiB.`);
  await stop();
}
