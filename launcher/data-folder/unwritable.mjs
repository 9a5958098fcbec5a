// Why a file can't be written, for the launcher and for commands, which say so before anything is bundled.

const NOT_ALLOWED =
  "this user is not allowed to. Run it as the platform's user (see docs/production.md), change the owner, or choose another folder with PLATFORM_DATA_DIR";

const WHY = {
  ENOSPC: "the disk is full. Free some space, then start again: nothing was lost",
  EDQUOT: "the disk quota is used up. Free some space, then start again: nothing was lost",
  EROFS: "the file system is read-only. Mount it writable, or choose another folder with PLATFORM_DATA_DIR",
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
};

/** Undefined for any other error. A write that fails names no file: then, it is one in `folder`. */
export function whyUnwritable(error, folder) {
  if (!(error instanceof Error) || typeof error.syscall !== "string") return undefined;
  const why = WHY[error.code];
  return why && `${error.path ?? `A file in ${folder}`} can't be written: ${why}.`;
}
