/** Every piece of code on a page of the guide is of a kind that something checks. */
import { existsSync, readFileSync } from "node:fs";
import { readRegion } from "@/lib/domain/surface/guide";
import { checkRequest, JSON_KINDS } from "./fence-kinds";
import { type Document, type FenceBlock, listFences } from "./read-documents";

const PICTURES = "components/surface/docs/diagram.tsx";
/** The files in them are run by tests. */
const CODE_FOLDERS = ["cli/templates/", "docs/guide/snippets/"];

/** How an `sh` fence says who runs it, besides `run`; see run-page.ts. */
const RUN_WORDS = ["run", "background", "engine", "changed"];
const RUN_ATTRIBUTES = ["exit", "in", "with", "until"];

export function checkFences(documents: readonly Document[]): string[] {
  return documents
    .filter(({ slug }) => slug !== undefined)
    .flatMap((document) => {
      const fences = listFences(document);
      return fences.flatMap((block, index) =>
        findProblems(block, fences[index - 1]).map((problem) => `${document.file}:${block.line} ${problem}`),
      );
    });
}

function findProblems(block: FenceBlock, before: FenceBlock | undefined): string[] {
  const { fence, code } = block;
  const { language, words, attributes } = fence;
  if (attributes.skip !== undefined) return attributes.skip.length < 10 ? ["skip needs a reason"] : [];
  if (attributes.file !== undefined) return checkFile(attributes.file, attributes.region, code);
  if (attributes.by !== undefined) return existsSync(attributes.by) ? [] : [`${attributes.by} doesn't exist`];
  if (language === "sh" && words.includes("run")) return checkRun(block);
  if (language === "text" && words[0] === "output")
    return before?.fence.words.includes("run") === true ? [] : ["output follows no command that is run"];
  if (language === "diagram") return checkPicture(words[0]);
  return attempt(() => {
    if (language === "http" && words[0] === "request") return checkRequest(code, attributes.body);
    const check = language === "json" ? JSON_KINDS[words[0] ?? ""] : undefined;
    return check === undefined
      ? [`"${[language, ...words].join(" ")}" is not a kind of code that is checked; see CONTRIBUTING.md`]
      : check(code);
  });
}

function checkFile(file: string, region: string | undefined, code: string): string[] {
  if (code.trim() !== "") return ["a fence with file= is empty: the page shows the file"];
  if (!CODE_FOLDERS.some((folder) => file.startsWith(folder)) || !existsSync(file))
    return [`${file} doesn't exist`];
  const isThere = region === undefined || readRegion(readFileSync(file, "utf8"), region) !== undefined;
  return isThere ? [] : [`${file} has no region ${region}`];
}

function checkRun({ fence: { words, attributes }, code }: FenceBlock): string[] {
  return [
    ...words.filter((word) => !RUN_WORDS.includes(word)).map((word) => `"${word}" means nothing here`),
    ...Object.keys(attributes)
      .filter((name) => !RUN_ATTRIBUTES.includes(name))
      .map((name) => `"${name}=" means nothing here`),
    ...(code.trim() === "" ? ["there is nothing to run"] : []),
  ];
}

function checkPicture(name = ""): string[] {
  return readFileSync(PICTURES, "utf8").includes(`"${name}": {`) ? [] : [`there is no picture "${name}"`];
}

function attempt(check: () => string[]): string[] {
  try {
    return check();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
