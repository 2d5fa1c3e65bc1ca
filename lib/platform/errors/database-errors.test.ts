import { expect, test } from "vitest";
import { isUnavailable } from "./database.ts";

const errorOf = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ["57P01", "terminating connection due to administrator command"],
  ["08006", "connection to the remote node postgres@10.0.0.2:5432 failed"],
  ["XX000", "SSL SYSCALL error: EOF detected"],
  ["XX000", "server closed the connection unexpectedly"],
  ["25006", "cannot execute INSERT in a read-only transaction"],
  ["ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:5432"],
])("the database is away: %s %s", (code, message) => {
  expect(isUnavailable(errorOf(code, message))).toBe(true);
});

test.each([
  ["23505", "duplicate key value violates unique constraint"],
  ["XX000", "cache lookup failed for relation 16384"],
  ["42P01", "relation does not exist"],
])("the database refused: %s %s", (code, message) => {
  expect(isUnavailable(errorOf(code, message))).toBe(false);
});
