/** PostgreSQL URLs in the form of libpq, which may name several servers. */
import { parseUrl } from "#lib/basics/urls/schema";

const portByDefault = 5432;

export interface Server {
  host: string;
  port: number;
}

export interface PostgresAddress {
  servers: readonly [Server, ...Server[]];
  url: string;
  needsPrimary: boolean;
}

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)((?:[/?#].*)?)$/;
const target = /([?&])target_session_attrs=([a-z-]*)(&|$)/;

export function parseAddress(text: string): PostgresAddress | undefined {
  const [, start = "", authority = "", rest = ""] = parts.exec(text.trim()) ?? [];
  if (start === "") return undefined;
  const [first, ...others] = authority.split(",").map(parseServer);
  if (!first || others.includes(undefined)) return undefined;
  const wanted = target.exec(rest)?.[2];
  const remaining = rest.replace(target, (_, before, __, after) => (after ? before : ""));
  const url = `${start}${hostOf(first)}:${first.port}${remaining}`;
  if (!parseUrl(url)) return undefined;
  return {
    servers: [first, ...others.filter((one) => one !== undefined)],
    url,
    needsPrimary: wanted === "read-write" || wanted === "primary",
  };
}

function parseServer(text: string): Server | undefined {
  const [, six, four = six, port] =
    /^(?:\[([^\]]+)\]|([^:[\]\s]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (four === undefined || Number(port) > 65_535) return undefined;
  return { host: four || "localhost", port: port ? Number(port) : portByDefault };
}

function hostOf({ host }: Server): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function urlOfServer({ url }: PostgresAddress, server: Server): string {
  return url.replace(
    parts,
    (_, start: string, __, rest: string) => `${start}${hostOf(server)}:${server.port}${rest}`,
  );
}

export function addressesOf(text: string): string[] {
  return text
    .split(/,(?=\s*postgres(?:ql)?:\/\/)/)
    .map((url) => url.trim())
    .filter((url) => url !== "");
}
