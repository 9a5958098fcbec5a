// Preloaded into each part: if its launcher was killed, the part ends as if it had received SIGTERM.
const GRACE_MS = 28_000;

process.once("disconnect", () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, "SIGTERM");
});
// Listening keeps the channel open, which would keep the process alive.
process.channel?.unref();
