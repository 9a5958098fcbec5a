/** The package has no types of its own. */
declare module "pgpass" {
  import type { ClientConfig } from "pg";

  /** Undefined if the file has no line for this server, or if others may read the file. */
  export default function readPasswordFile(
    server: ClientConfig,
    done: (password: string | undefined) => void,
  ): void;
}

declare module "pgpass/lib/helper.js" {
  /** What `PGPASSFILE` names, or the file in the home folder. */
  export function getFileName(): string;
}
