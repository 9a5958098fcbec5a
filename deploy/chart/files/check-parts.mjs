// Of `helm test`: each part is ready, through its Service.
const parts = process.argv.slice(1);
let failed = 0;
for (const part of parts) {
  const url = `http://${part}/ready`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error) => `no answer: ${error.cause?.code ?? error.message}`,
  );
  if (!answer.startsWith("200 ")) failed += 1;
  console.log(`${answer.startsWith("200 ") ? "ready" : "NOT READY"} ${url} ${answer}`);
}
process.exitCode = failed === 0 ? 0 : 1;
