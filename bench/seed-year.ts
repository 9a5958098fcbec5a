/**
 * A customer and a publisher after a year: 200 installations on 300 tenants, 700 members, 700,000 calls of the last month, 2,400
 * versions, and what a year leaves of notifications, audit rows, sessions and logs. The same rows each time, counted back from now.
 */
import pg from "pg";
import { seedLarge } from "./seed-large";

/** Apps of others: what a search of the marketplace and the queue of reviews are about. */
const OTHER_LISTINGS = 5_000;

/** The objects whose pages are opened. */
export interface SeededYear {
  /** Sessions of the users whose pages they are. */
  sessions: Record<"customer" | "publisher" | "moderator", string>;
  installationId: string;
  /** With a newer version. */
  upgradableId: string;
  attemptId: string;
  deliveredAttemptId: string;
  tenantId: string;
  reviewId: string;
  ownReviewId: string;
  listingId: string;
}

const MANIFEST = {
  name: "year-apps/app-0",
  version: "1.0.0",
  app: {
    fields: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        required: true,
        values: [{ text: "Europe", value: "eu" }],
      },
      { name: "label", title: "Label", type: "Text" },
    ],
  },
  core: {
    fields: [{ name: "vin", title: "VIN field", required: true }],
    webhooks: [{ path: "/events", events: ["policy.issued"] }],
    autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
  },
};

const SCHEMA = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`field${at}`, { type: "string", title: `Field number ${at}` }]),
  ),
};

const TEXT = {
  title: "An app",
  tagline: "It fills in what is known",
  category: "data",
  about: { product: "It fills in what is known. ".repeat(20), company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  links: { support: "", privacy: "", website: "" },
  icon: null,
  screenshots: [],
};

/** A UUIDv7 of a moment, which sorts by it. */
const FUNCTIONS = `
  create schema seed;
  create table seed.start as select date_trunc('hour', now()) as at;
  create function seed.id(kind int, number bigint, moment timestamptz) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0')
            || '7' || lpad(to_hex(kind), 3, '0') || '8' || lpad(to_hex(number), 15, '0'))::uuid $$;`;

const [ORGANIZATION, USER, LISTING, VERSION, TENANT, PRODUCT, INSTALLATION, ROUTE] = [1, 2, 3, 4, 5, 6, 7, 8];
const [CONFIGURATION, UPGRADE, REVIEW, SESSION, INVITATION, API_KEY, INSTANCE] = [9, 10, 11, 12, 13, 14, 15];
const [EVENT, DELIVERY, ATTEMPT, NOTIFICATION, AUDIT, COMMENT, SUSPENSION] = [16, 17, 18, 19, 20, 21, 22];

const [CUSTOMER, PUBLISHER] = [0, 1];
const [PUBLISHING_USER, MODERATOR] = [1_000, 1_001];
/** Of the 12 listings, the first has 1,300 versions and each of the others 100. */
const VERSIONS = `(select n, case when n < 1300 then 0 else 1 + (n - 1300) / 100 end as listing,
                          case when n < 1300 then n else (n - 1300) % 100 end as minor
                     from generate_series(0, 2399) n)`;
const ago = (amount: string) => `((select at from seed.start) - ${amount})`;
/** Of what has no history, they have one moment. */
const id = (kind: number, number: number | string, moment = "timestamptz '2025-01-01 00:00Z'") =>
  `seed.id(${kind}, ${number}, ${moment})`;

const STATEMENTS = [
  `insert into organizations (id, slug, name) values
     (${id(ORGANIZATION, CUSTOMER)}, 'year-mutual', 'Year Mutual'), (${id(ORGANIZATION, PUBLISHER)}, 'year-apps', 'Year Apps')`,
  `insert into users (id, email, name, password_hash, moderator)
   select ${id(USER, "n")}, 'user-' || n || '@year.example', 'Person ' || n, '-', n = ${MODERATOR}
     from (select n from generate_series(0, 699) n union all values (${PUBLISHING_USER}), (${MODERATOR})) u (n)`,
  `insert into memberships (organization_id, user_id, role)
   select ${id(ORGANIZATION, CUSTOMER)}, ${id(USER, "n")}, (case when n < 3 then 'owner' else 'operator' end)::role
     from generate_series(0, 699) n
    union all select ${id(ORGANIZATION, PUBLISHER)}, ${id(USER, PUBLISHING_USER)}, 'owner'`,
  // Sessions are kept 90 days: a workday's, and for the owner 120 that are active.
  `insert into sessions (id, user_id, organization_id, last_seen_at, created_at, expires_at, user_agent)
   select ${id(SESSION, "u * 100 + s", "at")}, ${id(USER, "u")}, ${id(ORGANIZATION, CUSTOMER)}, at + interval '8 hours', at, at + interval '12 hours', ''
     from generate_series(0, 699) u, generate_series(1, 60) s, lateral (select ${ago("(s * 1.5) * interval '1 day'")} as at) t`,
  `insert into sessions (id, user_id, organization_id, created_at, expires_at)
   select ${id(SESSION, "1000000 + n", "at")}, ${id(USER, "u")}, organization, at, now() + interval '12 hours'
     from (select n, 0 as u, ${id(ORGANIZATION, CUSTOMER)} as organization from generate_series(0, 119) n
            union all values (200, ${PUBLISHING_USER}, ${id(ORGANIZATION, PUBLISHER)}), (201, ${MODERATOR}, null)) s,
          lateral (select ${ago("interval '1 minute'")} as at) t`,
  `insert into invitations (id, organization_id, role, email, token_hash, invited_by, expires_at, accepted_at)
   select ${id(INVITATION, "n")}, ${id(ORGANIZATION, CUSTOMER)}, 'operator', 'guest-' || n || '@year.example', 'hash-' || n, ${id(USER, 0)},
          now() + interval '5 days', case when n >= 90 then now() end
     from generate_series(0, 789) n`,
  `insert into api_keys (id, organization_id, name, client_id, key_hash, created_by)
   select ${id(API_KEY, "n")}, ${id(ORGANIZATION, "n % 2")}, 'Key ' || n, 'client-' || n, '-', ${id(USER, "n / 10")}
     from generate_series(0, 199) n`,
  `insert into listings (id, organization_id, app_name, title, tagline, about, requirements, state)
   select ${id(LISTING, "n")}, ${id(ORGANIZATION, PUBLISHER)}, 'app-' || n, 'Year app ' || n, 'Fills in what is known',
          '${JSON.stringify(TEXT.about)}', '${JSON.stringify(TEXT.requirements)}', 'PUBLIC' from generate_series(0, 11) n`,
  `insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest, archive_digest,
                         archive_bytes, published_by, created_at, verified_at, release_notes)
   select ${id(VERSION, "n", "at")}, ${id(LISTING, "listing")}, '1.' || minor || '.0', $1::jsonb, $1, $1, 'sha256:' || repeat(md5(n::text), 2),
          'sha256:' || repeat(md5(n::text), 2), 50000000, 'seed', at, case when n % 5 = 0 then at end, 'Fixes and improvements of release ' || n
     from ${VERSIONS} v, lateral (select ${ago("(2400 - n) * interval '200 minutes'")} as at) t`,
  `insert into manifest_drafts (listing_id, text, base_version_id, updated_by)
   select ${id(LISTING, "n")}, to_json($1::text)::text, null, 'user:' || ${id(USER, PUBLISHING_USER)} from generate_series(0, 11) n`,
  `insert into tenants (id, organization_id, name, host_name, core_api_url)
   select ${id(TENANT, "n")}, ${id(ORGANIZATION, CUSTOMER)}, 'Tenant ' || lpad(n::text, 3, '0'), 'tenant-' || n || '.year.example', 'https://core.example/' || n
     from generate_series(0, 299) n`,
  `insert into products (id, tenant_id, name, schema, schema_digest)
   select ${id(PRODUCT, "t * 3 + p")}, ${id(TENANT, "t")}, 'Product ' || p, $2::jsonb, case when t % 50 = 0 then 'new' else 'old' end
     from generate_series(0, 299) t, generate_series(0, 2) p`,
  // Two thirds of the installations run a version that is not the newest.
  `insert into installations (id, organization_id, tenant_id, listing_id, version_id, state, revision, created_by, running_since)
   select ${id(INSTALLATION, "n")}, ${id(ORGANIZATION, CUSTOMER)}, ${id(TENANT, "n")}, ${id(LISTING, "n % 12")},
          (select v.id from versions v where v.listing_id = ${id(LISTING, "n % 12")} and v.verified_at is not null
            order by v.id desc offset n % 3 limit 1),
          (case when n % 40 = 0 then 'ERROR' when n % 25 = 0 then 'STOPPED' else 'RUNNING' end)::installation_state, 12, ${id(USER, 0)}, now()
     from generate_series(0, 199) n`,
  `insert into configurations (id, installation_id, revision, version_id, settings, mappings, schema_digests, created_by, cause)
   select ${id(CONFIGURATION, "n * 20 + r")}, ${id(INSTALLATION, "n")}, r, i.version_id,
          jsonb_build_object('region', '{"kind":"plain","value":"eu"}'::jsonb, 'label', jsonb_build_object('kind', 'plain', 'value', 'Label ' || r)),
          '[{"productName":"Product 0","fields":{"vin":"$.field1"}},{"productName":"Product 1","fields":{"vin":"$.field2"}},{"productName":"Product 2","fields":{"vin":"$.field3"}}]',
          '{"Product 0":"old","Product 1":"old","Product 2":"old"}', ${id(USER, 0)}, 'launch'
     from generate_series(0, 199) n join installations i on i.id = ${id(INSTALLATION, "n")}, generate_series(1, 12) r`,
  `insert into upgrades (id, installation_id, from_version_id, to_version_id, from_revision, to_revision, state, created_by, switched_at, ended_at)
   select ${id(UPGRADE, "n * 10 + u")}, ${id(INSTALLATION, "n")}, f.id, i.version_id, u, u + 1, 'DONE', ${id(USER, 0)}, now() - (10 - u) * interval '1 day', now() - (10 - u) * interval '1 day'
     from generate_series(0, 199) n join installations i on i.id = ${id(INSTALLATION, "n")}, generate_series(1, 3) u,
          lateral (select v.id from versions v where v.listing_id = i.listing_id and v.verified_at is not null and v.id < i.version_id order by v.id desc limit 1) f`,
  `insert into routes (id, installation_id, kind, path, patterns)
   select ${id(ROUTE, "n * 4 + k.at")}, ${id(INSTALLATION, "n")}, k.kind::route_kind, k.path, '[]'
     from generate_series(0, 199) n, (values (0, 'autofill', '/autofill'), (1, 'webhook', '/events'), (2, 'rater', '/rate'), (3, 'lifecycle', '/_app')) k (at, kind, path)`,
  // An instance of each version in use, and the 50 before it that are kept.
  `insert into instances (id, version_id, runtime, state, reason_code, reason, log_tail, created_at, ready_at, ended_at)
   select ${id(INSTANCE, "v.n * 100 + e", "at")}, v.id, 'docker', (case when e = 0 then 'READY' else 'FAILED' end)::instance_state,
          (case when e > 0 then 'EXITED' end)::instance_reason_code, case when e > 0 then 'It exited with code 1.' end,
          case when e > 0 then repeat('a line of the log' || chr(10), 50) end, at, at, case when e > 0 then at + interval '1 hour' end
     from (select version_id as id, row_number() over (order by version_id) as n from installations group by 1) v,
          generate_series(50, 0, -1) e, lateral (select ${ago("e * interval '13 hours'")} as at) t`,
  `insert into reviews (id, listing_id, kind, version_id, text, state, note, submitted_by, created_at, decided_by, decided_at)
   select ${id(REVIEW, "n", "at")}, ${id(LISTING, "listing")}, 'VERSION', ${id(VERSION, "n", "at")}, $3::jsonb,
          (case when n % 10 = 1 then 'CHANGES_REQUESTED' else 'APPROVED' end)::review_state, 'Decided', ${id(USER, PUBLISHING_USER)}, at, ${id(USER, MODERATOR)}, at
     from ${VERSIONS} v, lateral (select ${ago("(2400 - n) * interval '200 minutes'")} as at) t where n % 5 < 2 and n < 2395`,
  // 400 publishers wait for a moderator, and so does the publisher itself.
  `insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest, archive_digest, archive_bytes, published_by)
   select ${id(VERSION, "10000 + n")}, l.id, '2.0.0', $1::jsonb, $1, $1, 'sha256:' || repeat(md5('p' || n), 2), 'sha256:' || repeat(md5('p' || n), 2), 1, 'seed'
     from (select id, row_number() over (order by id) as n from listings where app_name not like 'app-%' order by id limit 400) l`,
  `insert into reviews (id, listing_id, version_id, text, submitted_by, created_at, due_at)
   select ${id(REVIEW, "10000 + n", "at")}, v.listing_id, v.id, $3::jsonb, ${id(USER, PUBLISHING_USER)}, at, date_trunc('day', at) + interval '3 days'
     from generate_series(1, 400) n, lateral (select ${ago("(400 - n) * interval '20 minutes'")} as at) t
     join versions v on true where v.id = ${id(VERSION, "10000 + n")}
    union all
   select ${id(REVIEW, 20_000, ago("interval '1 minute'"))}, listing_id, id, $3::jsonb, ${id(USER, PUBLISHING_USER)}, now(), now() + interval '3 days'
     from versions where listing_id = ${id(LISTING, 0)} and number = '1.1299.0'`,
  `insert into review_comments (id, review_id, author_id, moderator, body)
   select ${id(COMMENT, "n")}, ${id(REVIEW, 20_000, ago("interval '1 minute'"))}, ${id(USER, MODERATOR)}, true, 'A comment'
     from generate_series(1, 30) n`,
  `insert into suspensions (id, listing_id, reason, suspended_by, stops_installations, reinstated_by, reinstated_at)
   select ${id(SUSPENSION, "n")}, ${id(LISTING, 0)}, 'Reason ' || n, ${id(USER, MODERATOR)}, false, ${id(USER, MODERATOR)}, now() from generate_series(1, 60) n`,
  // 700,000 calls of 30 days, of which a few installations get most. Three of ten are deliveries of an event.
  `insert into events (id, tenant_id, event_id, type, body, body_hash, received_at)
   select ${id(EVENT, "n", "at")}, ${id(TENANT, "i")}, 'event-' || n, 'policy.issued', '{"id":"event"}', '-', at
     from generate_series(0, 699999) n, lateral (select ${ago("n * interval '3.7 seconds'")} as at, (n % 1000) * (n % 1000) / 5000 as i) t
    where n % 10 < 3`,
  `insert into deliveries (id, event_id, installation_id, route_id, event_type, state, attempt_count, created_at, settled_at)
   select ${id(DELIVERY, "n", "at")}, ${id(EVENT, "n", "at")}, ${id(INSTALLATION, "i")}, ${id(ROUTE, "i * 4 + 1")}, 'policy.issued',
          (case when n < 2000 then 'PENDING' when n % 1000 < 2 then 'DEAD' else 'DELIVERED' end)::delivery_state, 1, at,
          case when n >= 2000 then at end
     from generate_series(0, 699999) n, lateral (select ${ago("n * interval '3.7 seconds'")} as at, (n % 1000) * (n % 1000) / 5000 as i) t
    where n % 10 < 3`,
  `insert into attempts (id, organization_id, installation_id, route_id, delivery_id, kind, target, event_type, recorded, payload,
                         payload_bytes, started_at, platform_ms, duration_ms, ended_at, status, answer, answer_bytes, failure)
   select ${id(ATTEMPT, "n", "at")}, ${id(ORGANIZATION, CUSTOMER)}, ${id(INSTALLATION, "i")}, ${id(ROUTE, "i * 4 + k")},
          case when k = 1 then ${id(DELIVERY, "n", "at")} end,
          (case k when 0 then 'autofill' when 1 then 'webhook' else 'rater' end)::route_kind,
          case k when 0 then 'POST /autofill' when 1 then 'POST /events' else 'POST /rate' end,
          case k when 0 then 'newBusiness.driver' when 1 then 'policy.issued' end, n % 10 = 0,
          case when n % 10 = 0 then '{"policy":"' || n || '"}' end, 30, at, 2, 20 + n % 200, at + interval '100 ms',
          case when n % 100 = 1 then 500 else 200 end, case when n % 10 = 0 then '{"fields":{}}' end, 13,
          case when n % 100 = 1 then 'The app responded with 500.' end
     from generate_series(0, 699999) n,
          lateral (select ${ago("n * interval '3.7 seconds'")} as at, (n % 1000) * (n % 1000) / 5000 as i,
                          case when n % 10 < 3 then 1 when n % 10 < 9 then 0 else 2 end as k) t`,
  `insert into attempt_state_reads (attempt_id, count, first_read_at, last_read_at, revision)
   select id, 1, started_at, started_at, 12 from attempts where payload_bytes = 30 and status = 200`,
  `insert into notifications (id, user_id, organization_id, kind, subject, title, body, href, created_at, updated_at, read_at)
   select ${id(NOTIFICATION, "u * 5000 + n", "at")}, ${id(USER, "u")},
          case when u < 700 then ${id(ORGANIZATION, CUSTOMER)} when u = ${PUBLISHING_USER} then ${id(ORGANIZATION, PUBLISHER)} end,
          case when u < 700 then 'installation-error' when u = ${PUBLISHING_USER} then 'version' else 'review-submitted' end,
          'subject:' || n, 'Year app ' || n % 12 || ' stopped working', 'It exited with code 1. Its log has the reason.', '/home', at, at,
          case when n % 2 = 0 then at end
     from (select u, case when u in (0, ${PUBLISHING_USER}, ${MODERATOR}) then 4000 else 100 end as most
             from (select u from generate_series(0, 699) u union all values (${PUBLISHING_USER}), (${MODERATOR})) x (u)) y,
          lateral generate_series(1, most) n, lateral (select ${ago("n * interval '2 hours'")} as at) t`,
  `insert into mails (id, notification_id, state, ended_at, created_at)
   select ${id(99, "row_number() over (order by id)", "created_at")}, id, 'SENT', created_at, created_at from notifications where read_at is not null limit 20000`,
  `insert into audit (id, chain, position, actor, action, subject, details, created_at, seal)
   select ${id(AUDIT, "n", "at")}, chain, n, 'user:' || ${id(USER, "actor")}, action, subject, '{}', at, '-'
     from generate_series(1, 200000) n,
          lateral (select ${ago("(200000 - n) * interval '2.6 minutes'")} as at,
                          case when n % 10 < 7 then ${id(ORGANIZATION, CUSTOMER)}::text when n % 10 < 9 then ${id(ORGANIZATION, PUBLISHER)}::text else 'platform' end as chain,
                          case when n % 10 < 7 then n % 700 when n % 10 < 9 then ${PUBLISHING_USER} else ${MODERATOR} end as actor,
                          case when n % 10 < 7 then 'installation.configure' when n % 10 = 7 then 'version.publish' when n % 10 = 8 then 'review.approve' else 'user.sign-in' end as action,
                          case when n % 10 < 7 then 'installation:' || ${id(INSTALLATION, "n % 200")} when n % 10 < 9 then 'listing:' || ${id(LISTING, "n % 12")} else 'user:' || ${id(USER, MODERATOR)} end as subject) t`,
  // As much log as is kept of a version.
  `insert into log_lines (version_id, id, instance_id, at, stream, level, text)
   select i.version_id, n, ${id(INSTANCE, 0)}, ${ago("(100000 - n) * interval '6 seconds'")}, 'stdout', (case when n % 50 = 0 then 'error' else 'info' end)::log_level, 'request ' || n || ' answered in 20 ms'
     from installations i, generate_series(1, 100000) n where i.id = ${id(INSTALLATION, 0)}`,
  `insert into version_logs (version_id, last_id, lines, bytes, oldest_at)
   select version_id, 100000, 100000, 13000000, ${ago("interval '7 days'")} from installations where id = ${id(INSTALLATION, 0)}`,
  `insert into usage_hours (version_id, hour, samples, used_ns, elapsed_ms, peak_cores, memory_bytes, peak_memory_bytes)
   select v.id, ${ago("h * interval '1 hour'")}, 120, 1000000000, 3600000, 0.2, 12000000000, 120000000
     from (select distinct version_id as id from installations) v, generate_series(1, 720) h`,
];

const OBJECTS = `
  select ${id(INSTALLATION, 0)} as "installationId", ${id(INSTALLATION, 13)} as "upgradableId", ${id(TENANT, 0)} as "tenantId", ${id(LISTING, 0)} as "listingId",
         (select id from attempts where delivery_id is null order by id desc limit 1) as "attemptId",
         (select id from attempts where delivery_id is not null order by id desc limit 1) as "deliveredAttemptId",
         (select id from reviews where state = 'PENDING' and submitted_by = ${id(USER, PUBLISHING_USER)} order by id limit 1) as "reviewId",
         ${id(REVIEW, 20_000, ago("interval '1 minute'"))} as "ownReviewId",
         ${id(SESSION, 1_000_000, ago("interval '1 minute'"))} as customer,
         ${id(SESSION, 1_000_200, ago("interval '1 minute'"))} as publisher,
         ${id(SESSION, 1_000_201, ago("interval '1 minute'"))} as moderator`;

/** Fills a migrated, empty database. */
export async function seedYear(databaseUrl: string): Promise<SeededYear> {
  await seedLarge(databaseUrl, OTHER_LISTINGS);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("set synchronous_commit = off; set work_mem = '256MB'");
    await client.query(FUNCTIONS);
    const values = [MANIFEST, SCHEMA, TEXT].map((value) => JSON.stringify(value));
    for (const statement of STATEMENTS) {
      const used = values.map((value, at) => (statement.includes(`$${at + 1}::`) ? value : undefined));
      await client.query(bindLiterals(client, statement, used));
    }
    await client.query("vacuum analyze");
    const { rows } = await client.query<Omit<SeededYear, "sessions"> & SeededYear["sessions"]>(OBJECTS);
    const [row] = rows;
    if (row === undefined) throw new Error("a query without a FROM returned no row");
    const { customer, publisher, moderator, ...objects } = row;
    return { ...objects, sessions: { customer, publisher, moderator } };
  } finally {
    await client.end();
  }
}

/** As literals, because a statement may not leave out a parameter. */
function bindLiterals(client: pg.Client, statement: string, values: readonly (string | undefined)[]): string {
  return values.reduce<string>(
    (text, value, at) =>
      value === undefined ? text : text.replaceAll(`$${at + 1}`, () => client.escapeLiteral(value)),
    statement,
  );
}
