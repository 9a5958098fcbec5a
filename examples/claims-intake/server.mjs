// An app that can't start: its image lacks a file. The demo shows what customers and publishers see then.
import { readFile } from "node:fs/promises";

console.log("claims-intake 1.2.0");
console.log("Reading the loss codes…");
const codes = JSON.parse(await readFile(new URL("./loss-codes.json", import.meta.url), "utf8"));
console.log(`${codes.length} loss codes`);
