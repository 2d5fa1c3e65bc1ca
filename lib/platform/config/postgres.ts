/** Settings that are addresses of PostgreSQL. */
import { addressesOf, parseAddress } from "#lib/platform/postgres-addresses";
import { InvalidValue, type Parse } from "./values.ts";

export const postgresUrl: Parse<string> = (value) => {
  if (parseAddress(value)) return value;
  throw new InvalidValue(
    "a URL that starts with postgres:// or postgresql://, such as postgres://user:password@host:5432/fuxi",
  );
};

export const postgresUrls: Parse<string[]> = (value) => {
  const urls = addressesOf(value);
  for (const url of urls) postgresUrl(url);
  return urls;
};
