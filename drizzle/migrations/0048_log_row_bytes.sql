-- What a line takes besides its text counts too: ROW_BYTES of lib/server/app-logs/queries.ts.
UPDATE "version_logs" SET "bytes" = "bytes" + 100 * "lines"::bigint;
