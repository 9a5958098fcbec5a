/** What documents name exists: files, functions of the code, and decisions. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Document, GUIDE, listFences } from "./read-documents";

const DECISIONS = "docs/decisions";
const SOURCE = /\.(?:[cm]?[jt]sx?|sql)$/;
/** As `cli/dev/`, `evidence/queue-evidence.ts` or `route.ts`; not `*.test.ts` or `<name>.ts`. */
const FILE = /^[\w@().[\]-]+(?:\/(?:[\w@().[\]-]+)?)*$/;
const FILE_NAME = /\.(?:[cm]?[jt]sx?|sql|md|json|pl|py)$/;
/** As `readBundle`. */
const FUNCTION = /^[a-z]+(?:[A-Z][a-z]*)+$/;
/** Where names without a slash are files and functions of the code, and never of a manifest or an answer. */
const ABOUT_CODE = /^(?:docs\/map\.md|lib\/server\/\w+\/README\.md)$/;

interface Repository {
  files: string[];
  folders: Set<string>;
  sources: { file: string; text: string }[];
}

/** @returns what is wrong with documents outside of the guide */
export function checkNames(documents: readonly Document[]): string[] {
  const repository = readRepository();
  const code = repository.sources.filter(({ file }) => !/^tests\/|\.test\.tsx?$/.test(file));
  const words = new Set(code.flatMap(({ text }) => text.match(/\w+/g) ?? []));
  const own = documents.filter(({ file }) => path.dirname(file) !== GUIDE && !isShipped(file));
  return [
    ...own.flatMap((document) =>
      listSpans(document).flatMap(({ at, text }) => {
        if (isFile(text, repository)) return exists(text, repository) ? [] : [`${at} ${text}: no such file`];
        if (!ABOUT_CODE.test(document.file) || !FUNCTION.test(text)) return [];
        return words.has(text) ? [] : [`${at} ${text}: nothing in the code has this name`];
      }),
    ),
    ...checkMap(repository),
    ...checkDecisions(documents, repository),
  ];
}

/** Templates name files of the apps that they create. The changelog names those of its time. */
function isShipped(file: string): boolean {
  return file.startsWith("cli/templates/") || file === "cli/README.md" || file === "CHANGELOG.md";
}

/** What is in backticks, and the files that pictures name. */
function listSpans(document: Document): { at: string; text: string }[] {
  const texts = document.blocks.flatMap((block) => {
    if (block.kind === "fence") return [];
    const text = block.kind === "heading" ? block.text : block.markdown;
    return text
      .split("\n")
      .flatMap((line, index) =>
        [...line.matchAll(/`([^`\s]+)`/g)].map(([, span = ""]) => ({ line: block.line + index, text: span })),
      );
  });
  const pictures = listFences(document)
    .filter(({ fence }) => fence.language === "mermaid")
    .flatMap(({ line, code }) =>
      [...code.matchAll(/[\w/-]+\.ts\b/g)].map(([text]) => ({ line: line + 1, text })),
    );
  return [...texts, ...pictures].map(({ line, text }) => ({ at: `${document.file}:${line}`, text }));
}

function isFile(text: string, { folders }: Repository): boolean {
  // Folders such as `.data` are created when something runs.
  if (!FILE.test(text) || /^\.\w+\//.test(text)) return false;
  const [root = ""] = text.split("/");
  return text.includes("/")
    ? folders.has(root) || FILE_NAME.test(text)
    : FILE_NAME.test(text) && !BUILT.has(text);
}

/** Names of files that are created when something runs. */
const BUILT: ReadonlySet<string> = new Set(["secrets.json", "platform-app.json", "package.json"]);

/** The whole path, or its end: a README names the files of its own folder. */
function exists(text: string, { files, folders }: Repository): boolean {
  const name = text.replace(/\/$/, "");
  return (
    folders.has(name) ||
    files.includes(name) ||
    [...files, ...folders].some((file) => file.endsWith(`/${name}`))
  );
}

/** Guarantee: a newcomer finds every context on the map, and each has a README. */
function checkMap({ files, folders }: Repository): string[] {
  const map = readFileSync("docs/map.md", "utf8");
  const contexts = [...folders].filter((folder) => /^lib\/server\/\w+$/.test(folder));
  return contexts
    .map((folder) => `${folder}/README.md`)
    .flatMap((file) => [
      ...(files.includes(file) ? [] : [`${file} is missing`]),
      ...(map.includes(`(../${file})`) ? [] : [`docs/map.md doesn't link ${file}`]),
    ]);
}

/** Numbers without gaps, one form, all in the index, and no reference to another number. */
function checkDecisions(documents: readonly Document[], { sources }: Repository): string[] {
  const files = readdirSync(DECISIONS).filter((name) => name !== "README.md");
  const index = readFileSync(path.join(DECISIONS, "README.md"), "utf8");
  const known = new Set(files.map((name) => name.slice(0, 3)));
  const texts = [...sources, ...documents.map(({ file }) => ({ file, text: readFileSync(file, "utf8") }))];
  return [
    ...files.flatMap((name, place) => {
      const number = String(place + 1).padStart(3, "0");
      const file = path.join(DECISIONS, name);
      const text = readFileSync(file, "utf8");
      const form = new RegExp(
        `^# ${number}: (.+)\n\n- Date: (\\S+)\n- Status: (proposed|accepted|superseded)\n- Superseded by: .+\n\n## Context\n[^]+\n## Decision\n[^]+\n## Consequences\n`,
      );
      const [, title = "", date = "", status = ""] = form.exec(text) ?? [];
      if (title === "")
        return [`${file} has another number or another form than docs/decisions/README.md says`];
      const row = new RegExp(
        `^\\| \\[${number}\\]\\(${name}\\) +\\| (.+?) +\\| ${date} +\\| ${status} +\\|$`,
        "m",
      );
      return row.exec(index)?.[1] === title
        ? []
        : [`docs/decisions/README.md has no row for ${file} as it is`];
    }),
    ...texts.flatMap(({ file, text }) =>
      [...text.matchAll(/\bdecisions\/(\d{3})|\b[Dd]ecision\s(\d{2,3})\b/g)]
        .map(([, path = "", word = path]) => word)
        .filter((number) => !known.has(number))
        .map((number) => `${file} names decision ${number}, which does not exist`),
    ),
  ];
}

/** Everything below the folders of the project, without what is installed or built. */
function readRepository(): Repository {
  const ignored = /(?:^\.\w+|(?:^|\/)(?:node_modules|dist|test-results|playwright-report))(?:\/|$)/;
  const top = readdirSync(".", { withFileTypes: true }).filter(({ name }) => !ignored.test(name));
  const entries = top.flatMap((entry) =>
    entry.isDirectory()
      ? [
          { file: entry.name, isFolder: true },
          ...readdirSync(entry.name, { recursive: true, withFileTypes: true }).map((below) => ({
            file: path.join(below.parentPath, below.name),
            isFolder: below.isDirectory(),
          })),
        ]
      : [{ file: entry.name, isFolder: false }],
  );
  const own = entries.filter(({ file }) => !ignored.test(file));
  const files = own.filter(({ isFolder }) => !isFolder).map(({ file }) => file);
  const sources = files.filter((file) => SOURCE.test(file) && !file.startsWith("drizzle/migrations/"));
  return {
    files,
    folders: new Set(own.filter(({ isFolder }) => isFolder).map(({ file }) => file)),
    sources: sources.map((file) => ({ file, text: readFileSync(file, "utf8") })),
  };
}
