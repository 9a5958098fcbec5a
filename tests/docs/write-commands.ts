/** `npm run docs:cli` */
import { writeFileSync } from "node:fs";
import { COMMANDS_FILE, describeCommands } from "./describe-commands";
import { describeJson, JSON_FILE } from "./describe-json";

writeFileSync(COMMANDS_FILE, describeCommands());
writeFileSync(JSON_FILE, describeJson());
