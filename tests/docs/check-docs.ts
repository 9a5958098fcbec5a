/** Everything that the documentation promises and a script can see. `npm run check:docs` prints it; a test runs it, too. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { DOCS_PAGES } from "@/lib/contract/platform/docs-pages";
import { ERROR_GROUPS } from "@/lib/contract/surface/error-codes";
import { listCodeLinks } from "./check-code-links";
import { checkCommands, listCommands } from "./check-commands";
import { checkFences } from "./check-fences";
import { checkLinks, listLinks } from "./check-links";
import { checkNames } from "./check-names";
import { COMMANDS_FILE, describeCommands } from "./describe-commands";
import { describeJson, JSON_FILE } from "./describe-json";
import { type Document, GUIDE, listFences, readDocuments } from "./read-documents";

export interface CheckedDocs {
  /** Each names its file and line. */
  problems: string[];
  external: string[];
  figures: Record<string, number>;
}

export function checkDocs(): CheckedDocs {
  const documents = readDocuments();
  const pages = documents.filter(({ slug }) => slug !== undefined);
  const links = [...listLinks(documents), ...listCodeLinks()];
  const commands = listCommands(documents);
  const checked = checkLinks(links, documents);
  return {
    problems: [
      ...checkPages(documents),
      ...checked.problems,
      ...checkFences(documents),
      ...checkCommands(commands),
      ...checkErrors(documents),
      ...checkReference(),
      ...checkNames(documents),
    ],
    external: checked.external,
    figures: {
      docs_pages: pages.length,
      docs_documents: documents.length,
      docs_links: links.length,
      docs_snippets: pages.flatMap(listFences).length,
      docs_commands: commands.length,
      docs_error_codes: ERROR_CODES.size,
    },
  };
}

const ERROR_CODES: ReadonlySet<string> = new Set(ERROR_GROUPS.flatMap(({ codes }) => codes));

/** Every code has an entry, and every entry a code. */
function checkErrors(documents: readonly Document[]): string[] {
  const page = documents.find(({ slug }) => slug === "errors");
  const entries =
    page?.blocks.flatMap((block) => (block.kind === "heading" && block.level === 3 ? [block.id] : [])) ?? [];
  return [
    ...[...ERROR_CODES]
      .filter((code) => !entries.includes(code))
      .map((code) => `errors.md has no entry for ${code}`),
    ...entries
      .filter((entry) => !ERROR_CODES.has(entry))
      .map((entry) => `errors.md: there is no code ${entry}`),
  ];
}

function checkReference(): string[] {
  const written = [
    { file: COMMANDS_FILE, describe: describeCommands },
    { file: JSON_FILE, describe: describeJson },
  ];
  return written
    .filter(({ file, describe }) => existsSync(file) && readFileSync(file, "utf8") !== describe())
    .map(({ file }) => `${file} is not what the program says. Run \`npm run docs:cli\`.`);
}

/** Every page of the list has a text with a title and a summary, and every text is in the list. */
function checkPages(documents: readonly Document[]): string[] {
  const missing = DOCS_PAGES.map(({ slug }) => path.join(GUIDE, `${slug}.md`)).filter(
    (file) => !existsSync(file),
  );
  const inGuide = documents.filter(({ file }) => path.dirname(file) === GUIDE);
  return [
    ...missing.map((file) => `${file} is missing`),
    ...inGuide.filter(({ slug }) => slug === undefined).map(({ file }) => `${file} is not in docs-pages.ts`),
    ...inGuide
      .filter(({ title, summary }) => title === "" || summary === "")
      .map(({ file }) => `${file} has no title or no summary`),
  ];
}
