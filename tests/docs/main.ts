/** `npm run check:docs` */
import { checkDocs } from "./check-docs";

const { problems, external, figures } = checkDocs();
console.log(`Links to other sites, which are not opened:\n${external.map((url) => `  ${url}`).join("\n")}`);
for (const problem of problems) console.error(problem);
for (const [name, value] of Object.entries(figures)) console.log(`figure ${name} ${value}`);
process.exitCode = problems.length === 0 ? 0 : 1;
