// Loaded into each part before its own code: a part whose launcher was killed ends as if it had been told to.
const GRACE_MS = 28_000;

process.once("disconnect", () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, "SIGTERM");
});
// Listening keeps the channel, and by it the process, alive; whether to live is the part's own business.
process.channel?.unref();
