/** `npm run docs:cli` */
import { writeFileSync } from "node:fs";
import { COMMANDS_FILE, describeCommands } from "./describe-commands";

writeFileSync(COMMANDS_FILE, describeCommands());
