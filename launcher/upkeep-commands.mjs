/** The commands of `upkeep/`, each in a file of its name. */
export const COMMANDS = ["setup", "backup", "restore", "rotate-keys", "verify-audit"];
