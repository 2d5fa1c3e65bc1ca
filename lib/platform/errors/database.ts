/** Classifies errors of the database, from node-postgres or through Prisma. */

/** The database refused a value that no column accepts, such as a text with NUL. */
export function isBadValue(error: unknown): boolean {
  return codeOf(error).startsWith("22");
}

export function isRejectedInput(error: unknown): boolean {
  return /^(22|23|54)...$/.test(codeOf(error));
}

const readOnlyCode = "25006";
const prismaCausePath = ["meta", "driverAdapterError", "cause", "originalCode"];

/** Citus lost a server; it passes on the connection's text without a code of its own. */
const internalCode = "XX000";
const lostServer =
  /SSL SYSCALL|server closed the connection|no connection to the server|invalid socket/;

/** Prisma wraps the code of PostgreSQL or of the system in its own. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const original = prismaCausePath.reduce<unknown>(
    (value, name) => (value instanceof Object ? Reflect.get(value, name) : undefined),
    error,
  );
  if (typeof original === "string") return original;
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

export function isReadOnly(error: unknown): error is Error {
  return codeOf(error) === readOnlyCode;
}

/** A replica cannot write, so the primary is away. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // 08 connection, 53 resources, 57 operator intervention (shutdown, crash, cancelled by timeout)
  if (/^(08|53|57)...$/.test(code) || code === readOnlyCode) return true;
  if (code === internalCode) return lostServer.test(error.message);
  // Prisma's codes for: unreachable, timed out, closed by the server, no free connection
  if (/^P(1001|1002|1008|1017|2024)$/.test(code)) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/.test(code)) return true;
  return (
    /connection|timeout|Cannot use a pool after calling end/i.test(error.message) && code === ""
  );
}
