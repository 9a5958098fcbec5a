import { Problem } from "@/lib/contract/problem";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";

/** For `catch`: a name that another tenant of the organization has is NAME_TAKEN, with an issue at its field. */
export function refuseTaken(name: string) {
  return (error: unknown): never => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    const message = `Your organization has a tenant called '${name}' already. Choose another name.`;
    throw new Problem("NAME_TAKEN", message, [{ code: "taken", pointer: "/name", message }]);
  };
}
