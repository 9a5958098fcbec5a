import { writeFileSync } from "node:fs";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { seedLarge } from "@/bench/seed-large";
const database = await startTemporaryDatabase("bench");
await seedLarge(`${database.server}/bench`);
writeFileSync("/tmp/seeded-url", `${database.server}/bench`);
console.log("seeded", database.server);
setInterval(() => {}, 1000);
