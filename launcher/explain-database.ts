/** Why the database can't be used, and how to fix it: for the launcher, and for the commands of `upkeep/`. */
import { isCertificateProblem } from "@/lib/server/platform/database/availability";
import { sqlStateOf } from "@/lib/server/platform/database/connect";
import { NoPasswordError } from "@/lib/server/platform/database/password-file";

const TRUST = `Name the CA's file in DATABASE_URL (…?sslmode=verify-full&sslrootcert=/path/to/ca.pem), or in NODE_EXTRA_CA_CERTS.`;

const FIXES: Record<string, string> = {
  "28P01":
    "The user name or password is wrong. Correct it in DATABASE_URL, or in the file that PGPASSFILE names.",
  "28000":
    "The server does not accept this user from here. Check its pg_hba.conf, or sslmode in DATABASE_URL.",
  "3D000": "The database does not exist. Create it, or correct its name in DATABASE_URL.",
  "42501": "The user is not allowed to create tables. Make it the owner of the database.",
  "42P01": "The database is older than this code. Start the platform once to migrate it.",
  CERT_HAS_EXPIRED: "The server's certificate has expired. Renew it, or correct this machine's clock.",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet. Correct this machine's clock.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The server's certificate is for another host. Use a host name of the certificate in DATABASE_URL.",
  ENOENT: "A file that DATABASE_URL names in sslrootcert, sslcert or sslkey does not exist.",
};

/** If a name has several addresses, they fail as one AggregateError without a message. */
export function describeDatabaseError(error: unknown): { code: string; message: string; fix?: string } {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(inner instanceof Error)) return { code: "", message: String(inner) };
  const cause = inner.cause instanceof Error ? inner.cause : inner;
  if (cause instanceof AggregateError) return describeDatabaseError(cause);
  const code = sqlStateOf(inner) ?? ("code" in cause && typeof cause.code === "string" ? cause.code : "");
  return { code, message: cause.message || code, fix: FIXES[code] ?? explain(cause) };
}

function explain(error: Error): string | undefined {
  if (error instanceof NoPasswordError) return error.fix;
  if (isCertificateProblem(error))
    return `The server's certificate is signed by a CA that this machine doesn't trust. ${TRUST}`;
  if (/does not support SSL/i.test(error.message))
    return "Turn TLS on in the server, or write sslmode=disable in DATABASE_URL if the connection is safe without it.";
  return undefined;
}
