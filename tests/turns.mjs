// Long proofs: `npm run test:full` runs all of them, `npm test` one turn. The commit decides which, so a commit always runs the same.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");

/** The turns take about the same time. Files run as a whole or not at all; the other names are asked for with `isDue`. */
const TURNS = [
  {
    files: [
      "worker/probes.test.ts",
      "tests/containers/egress.test.ts",
      "tests/containers/moderated-digest.test.ts",
      "lib/server/surface/backup/hostile-backups.test.ts",
      "gateway/database-away.test.ts",
      "lib/server/runtime/instances.test.ts",
      "tests/pages-health.test.ts",
      "gateway/database-frozen.test.ts",
      "lib/server/accounts/set-password.test.ts",
      "components/catalog/editor/changes/draft-choices.browser.test.tsx",
      "lib/server/images/archive/hostile-archives.test.ts",
      "e2e/permissions.spec.ts",
    ],
    proofs: ["translated pages of a visitor", "saved login of a moderator"],
  },
  {
    files: [
      "tests/containers/misbehaving-apps.test.ts",
      "tests/containers/evidence.test.ts",
      "cli/commands/publish.test.ts",
      "launcher/part.test.ts",
      "tests/containers/isolation.test.ts",
      "lib/server/platform/database/availability.test.ts",
      "lib/server/calls/deliveries/sign-webhook.test.ts",
      "tests/mail/mail-appearance.test.ts",
      "gateway/own-apps.test.ts",
      "tests/docs/page-size.test.ts",
      "components/installations/configuration/configuration-check.browser.test.tsx",
      "e2e/save-draft.spec.ts",
      "e2e/test-launch.spec.ts",
    ],
    proofs: [
      "chaos kills",
      "editor by touch",
      "drafts in other tabs",
      "pages as further users",
      "saved login of a customer",
    ],
  },
  {
    files: [
      "docs/guide/snippets/snippets.test.ts",
      "tests/docs/json-shapes.test.ts",
      "tests/hostile-images/engines.test.ts",
      "cli/main.test.ts",
      "cli/commands/operate.test.ts",
      "tests/matrix/hostile-requests.test.ts",
      "lib/server/moderation/evidence/evidence-pool.test.ts",
      "launcher/watch-parents.test.ts",
      "tests/secrets/hostile-guesses.test.ts",
      "launcher/private-ca.test.ts",
      "components/insight/logs/log-list.browser.test.tsx",
      "e2e/watch-calls.spec.ts",
      "e2e/without-engine.spec.ts",
    ],
    proofs: ["chaos rolling", "chaos keys", "saved login of a publisher"],
  },
  {
    files: [
      "launcher/data-folder/embedded-postgres.test.ts",
      "components/platform/availability.browser.test.tsx",
      "components/insight/logs/app-log.browser.test.tsx",
      "lib/server/runtime/sleep.test.ts",
      "tests/cli/new-publisher.test.ts",
      "lib/server/insight/call-log/stream-calls.test.ts",
      "components/catalog/editor/hostile-manifest.browser.test.tsx",
      "components/platform/notifications.browser.test.tsx",
      "tests/hostile-images/tar-differential.test.ts",
      "launcher/build-pages.test.ts",
      "lib/server/images/archive/link-map.test.ts",
      "e2e/account.spec.ts",
      "e2e/editor-shortcuts.spec.ts",
    ],
    proofs: ["chaos supervision", "chaos busy", "translated pages of a moderator"],
  },
  {
    files: [
      "lib/server/surface/backup/backup.test.ts",
      "cli/image/engine.test.ts",
      "lib/server/platform/rotate-keys.test.ts",
      "lib/server/runtime/engines/docker.test.ts",
      "tests/hostile-images/send-blobs.test.ts",
      "lib/server/calls/deliveries/fair-and-crashes.test.ts",
      "components/catalog/editor/design/entry-forms.browser.test.tsx",
      "tests/manifests/manifests-agree.test.ts",
      "cli/package.test.ts",
      "cli/commands/completion.test.ts",
      "gateway/admission/admission.test.ts",
      "lib/server/platform/notifications/mail-pool.test.ts",
      "e2e/change-installation.spec.ts",
      "e2e/apps-of-others.spec.ts",
      "e2e/web-drain.spec.ts",
      "e2e/docs.spec.ts",
    ],
    proofs: ["translated pages of a publisher"],
  },
  {
    files: [
      "cli/dev/emulator.test.ts",
      "gateway/drain.test.ts",
      "lib/server/calls/early-answers.test.ts",
      "worker/worker.test.ts",
      "lib/server/runtime/engines/runtime.test.ts",
      "cli/commands/templates.test.ts",
      "tests/setup.test.ts",
      "tests/audit-verify.test.ts",
      "lib/server/insight/logs/read-log.test.ts",
      "cli/commands/publish-image.test.ts",
      "components/ui/forms/secret-field.browser.test.tsx",
      "e2e/listing-life.spec.ts",
      "e2e/away.spec.ts",
      "e2e/terms.spec.ts",
      "e2e/members.spec.ts",
      "e2e/hostile-manifest.spec.ts",
    ],
    proofs: ["programs in Go", "saved login of a visitor"],
  },
  {
    files: [
      "tests/hostile-images/hostile-images.test.ts",
      "cli/dev/dev.test.ts",
      "tests/hostile-images/go-reader.test.ts",
      "lib/server/catalog/publish/uploads.test.ts",
      "lib/server/platform/redaction/redact-encodings.test.ts",
      "lib/server/runtime/logs/follow-log.test.ts",
      "cli/platform/resume-upload.test.ts",
      "components/catalog/editor/keyboard.browser.test.tsx",
      "lib/server/installations/work/advance-installations.test.ts",
      "lib/server/installations/tenants/test-connection.test.ts",
      "launcher/print-output.test.ts",
      "components/accounts/account/zone-card.browser.test.tsx",
      "e2e/install-requests.spec.ts",
      "e2e/dev-page.spec.ts",
      "e2e/two-moderators.spec.ts",
    ],
    proofs: ["translated pages of a customer", "chaos database"],
  },
  {
    files: [
      "tests/docs/run-commands.test.ts",
      "tests/backup.test.ts",
      "demo/seed.test.ts",
      "gateway/several-gateways.test.ts",
      "launcher/run-part.test.ts",
      "cli/dev-page/dev-page.browser.test.tsx",
      "lib/server/accounts/count-tries.test.ts",
      "lib/server/installations/work/failing-upgrades.test.ts",
      "lib/server/installations/tenants/connect-tenant.test.ts",
      "lib/server/catalog/encode-picture.test.ts",
      "e2e/app-hosts.spec.ts",
      "e2e/release-manifest.spec.ts",
    ],
    proofs: ["chaos overload", "chaos fairness", "editor by keyboard"],
  },
];

/** Only in `npm run test:full`, or when one runs a test by itself. */
const FULL_ONLY = ["every variant of a request"];

/** Files and proofs of all turns. */
export const TURN_COUNT = TURNS.length;

/** A turn's number, or undefined for everything: that is how tests run without `npm test`. */
export const currentTurn =
  process.env.PLATFORM_TEST_TURN === undefined ? undefined : Number(process.env.PLATFORM_TEST_TURN);

/** @returns {boolean} */
export function isDue(proof) {
  const own = TURNS.findIndex(({ proofs }) => proofs.includes(proof));
  if (own === -1 && !FULL_ONLY.includes(proof)) throw new Error(`tests/turns.mjs doesn't list "${proof}".`);
  return currentTurn === undefined || own === currentTurn - 1;
}

/**
 * Whether the turn takes one of many equal questions: each turn takes a share, and as many turns in a row as there are shares take all of them.
 * @returns {boolean}
 */
export function isShareDue(index, shares = TURN_COUNT) {
  return currentTurn === undefined || index % shares === (currentTurn - 1) % shares;
}

/** The test files that wait for another turn. */
export function listLaterFiles() {
  const files = TURNS.flatMap(({ files = [] }, index) =>
    files.map((file) => ({ file, isDue: currentTurn === undefined || index === currentTurn - 1 })),
  );
  const missing = files.find(({ file }) => !existsSync(path.join(root, file)));
  if (missing !== undefined) throw new Error(`tests/turns.mjs lists ${missing.file}, which doesn't exist.`);
  return files.filter(({ isDue }) => !isDue).map(({ file }) => file);
}

/** The test files of this turn: they take longest. */
export function listDueFiles() {
  return currentTurn === undefined ? [] : (TURNS[currentTurn - 1]?.files ?? []);
}

/** What runs in a turn, for people. */
export function describeTurn(number) {
  const { files = [], proofs = [] } = TURNS[number - 1] ?? {};
  return [...proofs, ...files].join(", ");
}

/** Without a repository, such as in an archive of the sources, it is the first turn. */
export function chooseTurn() {
  try {
    const hash = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8", stdio: "pipe" });
    return (Number.parseInt(hash.slice(0, 8), 16) % TURN_COUNT) + 1;
  } catch {
    return 1;
  }
}
