/** Migrations that fill new columns of listings, reviews and sign-ups from rows of earlier releases. */
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { dueDate } from "@/lib/domain/review-queue";
import { insertRows, migrateExisting, rowsOfInstallation } from "@/tests/existing-data";

// Guarantee: an update loses no review, and each shows a text, with which it can be decided.
test("earlier reviews are of versions, and get their listing's text", async () => {
  const ids = { organization: v7(), installation: v7() };
  const review = v7();
  await migrateExisting(
    "listing_text",
    async (client) => {
      // The organization, the user, the listing and the version.
      await insertRows(client, rowsOfInstallation(ids).slice(0, 4));
      await client.query(
        "insert into reviews (id, listing_id, version_id, submitted_by) select $1, l.id, v.id, u.id from listings l, versions v, users u",
        [review],
      );
    },
    async (client) => {
      const { rows } = await client.query<{ text: unknown }>("select id, kind, text from reviews");
      expect(rows).toEqual([{ id: review, kind: "VERSION", text: expect.anything() }]);
      const links = { support: "", privacy: "", website: "" };
      const text = { title: "VIN", tagline: "", category: "other", links, icon: null, screenshots: [] };
      expect(rows[0]?.text).toEqual({ ...text, about: {}, requirements: {} });
      const listings = await client.query("select tagline, category, links, icon, screenshots from listings");
      expect(listings.rows).toEqual([{ tagline: "", category: "other", links, icon: null, screenshots: [] }]);
    },
  );
});

// Guarantee: publishers of reviews that wait during an update see a due date by the same rule as later ones.
test("earlier reviews are due three working days after their submission", async () => {
  const ids = { organization: v7(), installation: v7() };
  const submitted = [16, 17, 18, 19, 20, 21, 22].map((day) => new Date(`2026-11-${day}T09:30:00Z`));
  await migrateExisting(
    "moderation",
    async (client) => {
      // The organization, the user, the listing and the version.
      await insertRows(client, rowsOfInstallation(ids).slice(0, 4));
      for (const at of submitted)
        await client.query(
          `insert into reviews (id, listing_id, version_id, submitted_by, text, state, created_at)
           select $1, l.id, v.id, u.id, '{}', 'WITHDRAWN', $2 from listings l, versions v, users u`,
          [v7(), at],
        );
    },
    async (client) => {
      const { rows } = await client.query<{ due_at: Date }>("select due_at from reviews order by created_at");
      expect(rows.map((row) => row.due_at)).toEqual(submitted.map((at) => dueDate(at, "VERSION")));
    },
  );
});

// Guarantee: an update keeps the order of the marketplace's newest apps: by when they were first approved.
test("earlier public listings are public since their first approval, and drafts are not", async () => {
  const ids = { organization: v7(), installation: v7() };
  const [retired, suspended, draft] = Array.from({ length: 3 }, () => v7());
  const [created, first] = [new Date("2026-11-01T08:00:00Z"), new Date("2026-11-02T09:30:00.123Z")];
  await migrateExisting(
    "marketplace_search",
    async (client) => {
      // The organization, the user, the listing and the version.
      await insertRows(client, rowsOfInstallation(ids).slice(0, 4));
      await client.query("update listings set state = 'PUBLIC', created_at = $1", [created]);
      for (const [state, at] of [
        ["REJECTED", "2026-11-02T07:00:00Z"],
        ["APPROVED", "2026-11-03T10:00:00Z"],
        ["APPROVED", "2026-11-02T09:30:00.123456Z"],
      ])
        await client.query(
          `insert into reviews (id, listing_id, version_id, submitted_by, text, due_at, state, decided_at, decided_by)
           select $1, l.id, v.id, u.id, '{}', now(), $2, $3, u.id from listings l, versions v, users u`,
          [v7(), state, at],
        );
      for (const [id, name, state] of [
        [retired, "retired", "RETIRED"],
        [suspended, "suspended", "SUSPENDED"],
        [draft, "draft", "DRAFT"],
      ])
        await client.query(
          "insert into listings (id, organization_id, app_name, title, about, requirements, state, created_at) values ($1, $2, $3, $3, '{}', '{}', $4, $5)",
          [id, ids.organization, name, state, created],
        );
    },
    async (client) => {
      const { rows } = await client.query("select app_name, public_since from listings order by app_name");
      expect(rows).toEqual([
        { app_name: "draft", public_since: null },
        { app_name: "retired", public_since: null },
        // Without an approval that is known.
        { app_name: "suspended", public_since: created },
        { app_name: "vin", public_since: first },
      ]);
      // It stays so, whatever happens to the listing later.
      await client.query("update listings set state = 'SUSPENDED' where app_name = 'vin'");
      await client.query("update listings set state = 'PUBLIC' where app_name = 'vin'");
      const again = await client.query("select public_since from listings where app_name = 'vin'");
      expect(again.rows).toEqual([{ public_since: first }]);
    },
  );
});

// Guarantee: an update ends the checks that earlier releases left waiting for reviews that are over.
test("checks of earlier reviews that ended are canceled, and all others stay as they are", async () => {
  const ids = { organization: v7(), installation: v7() };
  const decided = new Date("2026-11-02T09:30:00.123Z");
  await migrateExisting(
    "canceled_evidence",
    async (client) => {
      await insertRows(client, rowsOfInstallation(ids).slice(0, 4));
      for (const [review, state] of [
        ["APPROVED", "QUEUED"],
        ["WITHDRAWN", "RUNNING"],
        ["REJECTED", "DONE"],
        ["PENDING", "QUEUED"],
      ] as const) {
        const id = v7();
        await client.query(
          `insert into reviews (id, listing_id, version_id, submitted_by, text, due_at, state, decided_at)
           select $1, l.id, v.id, u.id, '{}', now(), $2, $3 from listings l, versions v, users u`,
          [id, review, review === "PENDING" ? null : decided],
        );
        await client.query(
          "insert into evidence (id, review_id, organization_id, state, leased_until) values ($1, $2, $3, $4, now())",
          [v7(), id, ids.organization, state],
        );
      }
    },
    async (client) => {
      const { rows } = await client.query(
        "select e.state, e.ended_at, e.leased_until is not null as leased from evidence e order by e.id",
      );
      expect(rows).toEqual([
        { state: "CANCELED", ended_at: decided, leased: false },
        { state: "CANCELED", ended_at: decided, leased: false },
        { state: "DONE", ended_at: null, leased: true },
        { state: "QUEUED", ended_at: null, leased: true },
      ]);
      const index = await client.query("select 1 from pg_indexes where indexname = 'evidence_to_check'");
      expect(index.rows).toHaveLength(1);
    },
  );
});

// Guarantee: a link that was emailed before an update works after it.
test("sign-ups that wait for their address keep their link and their password", async () => {
  const content = { name: "Ada", email: "ada@acme.example", passwordHash: "-", organizationSlug: "acme" };
  await migrateExisting(
    "pending_sign_ups",
    async (client) => {
      await insertRows(client, [
        [
          "account_links (id, kind, hash, content, expires_at) values ($1, 'SIGN_UP', 'one', $2, now() + interval '1 hour')",
          [v7(), content],
        ],
        [
          "account_links (id, kind, hash, content, expires_at) values ($1, 'NEW_PASSWORD', 'two', '{}', now())",
          [v7()],
        ],
      ]);
    },
    async (client) => {
      const links = await client.query("select hash, content from account_links order by hash");
      expect(links.rows).toEqual([
        { hash: "one", content: { email: content.email } },
        { hash: "two", content: {} },
      ]);
      const pending = await client.query(
        "select email, content, expires_at > now() as waits from pending_sign_ups",
      );
      expect(pending.rows).toEqual([{ email: content.email, content, waits: true }]);
    },
  );
});
