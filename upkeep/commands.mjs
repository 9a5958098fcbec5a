/** The commands of this folder, each in a file of its name. */
export const COMMANDS = ["setup", "backup", "restore", "rotate-keys", "verify-audit"];
