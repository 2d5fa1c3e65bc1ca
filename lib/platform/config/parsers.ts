/** Without zod: the redirect must start without a framework. */
import { BlockList, isIP } from "node:net";
import { availableParallelism } from "node:os";
import { isAbsolute } from "node:path";
import proxyAddr from "proxy-addr";
import { isIcpNumber } from "#lib/basics/formats/schema";
import { parseId } from "#lib/basics/ids";
import { parseHostPattern } from "#lib/basics/urls";
import { parseUrl } from "#lib/basics/urls/schema";
import { InvalidValue, type Parse } from "./values.ts";

interface Setting<T> {
  description: string;
  parse: Parse<T>;
  fallback?: string;
  /** Whether `NAME_FILE` may be the path of a file with the value. */
  isSecret?: true;
}

export const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

export function setting<T>(description: string, parse: Parse<T>, fallback?: string): Setting<T> {
  return fallback === undefined ? { description, parse } : { description, parse, fallback };
}

/** A secret, or a URL that may contain a password. */
export function secret<T>(wrapped: Setting<T>): Setting<T> {
  return { ...wrapped, isSecret: true };
}

export const text: Parse<string> = (value) => value;

export function optional<T>(description: string, parse: Parse<T>): Setting<T | undefined> {
  return setting(description, (value) => (value === "" ? undefined : parse(value)), "");
}

export function integer(min: number, max: number): Parse<number> {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidValue(`a whole number from ${min} to ${max}`);
  };
}

export function address(...schemes: string[]): Parse<string> {
  return (value) => {
    const scheme = parseUrl(value)?.protocol.slice(0, -1) ?? "";
    if (schemes.includes(scheme)) return value;
    throw new InvalidValue(`a URL that starts with ${schemes.map((s) => `${s}://`).join(" or ")}`);
  };
}

export const origin: Parse<string> = (value) => {
  const url = address("http", "https")(value);
  if (new URL(url).origin === url) return url;
  throw new InvalidValue("an origin without a path, such as https://links.example.com");
};

export const host: Parse<string> = (value) => {
  if (/^[a-z0-9.-]+$/.test(value)) return value;
  throw new InvalidValue("a lowercase domain without scheme or port, such as go.example.com");
};

export const headerName: Parse<string> = (value) => {
  if (/^[A-Za-z][A-Za-z0-9-]*$/.test(value)) return value.toLowerCase();
  throw new InvalidValue("the name of a header, such as CF-IPCountry");
};

export function hex(...bytes: number[]): Parse<string> {
  return (value) => {
    if (/^[0-9a-f]*$/.test(value) && bytes.includes(value.length / 2)) return value;
    throw new InvalidValue(`${bytes.map((b) => b * 2).join(" or ")} lowercase hexadecimal digits`);
  };
}

export const icpNumber: Parse<string> = (value) => {
  if (isIcpNumber(value)) return value;
  throw new InvalidValue("an ICP number, such as 京ICP备12345678号-1");
};

export function longerThan(length: number): Parse<string> {
  return (value) => {
    if (value.length >= length) return value;
    throw new InvalidValue(`at least ${length} characters`);
  };
}

export const email: Parse<string> = (value) => {
  if (/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254) return value;
  throw new InvalidValue("an email address");
};

export const contact: Parse<string> = (value) => {
  const isPage = parseUrl(value)?.protocol === "https:";
  if (isPage || /^[^\s@:/]+@[^\s@:/]+$/.test(value)) return value;
  throw new InvalidValue("an email address or an https URL");
};

export const mailbox: Parse<string> = (value) => {
  if (/^[^<>@\r\n]*<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/.test(value)) return value;
  throw new InvalidValue("an email address, optionally with a name: Fuxi <fuxi@example.com>");
};

export function oneOf<const T extends string>(...choices: T[]): Parse<T> {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new InvalidValue(`one of ${choices.join(", ")}`);
  };
}

const list: Parse<string[]> = (value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const secretCharsMin = 32;

export const secrets: Parse<string[]> = (value) => {
  const items = list(value);
  if (items.every((item) => item.length >= secretCharsMin)) return items;
  throw new InvalidValue(`comma-separated texts of at least ${secretCharsMin} characters`);
};

export const addresses: Parse<string[]> = (value) => {
  const items = list(value);
  if (items.every((item) => isIP(item) !== 0)) return items;
  throw new InvalidValue("comma-separated IP addresses, such as 203.0.113.7 or 2001:db8::7");
};

export const proxies: Parse<string[]> = (value) => {
  const items = list(value);
  try {
    proxyAddr.compile(items);
    return items;
  } catch {
    throw new InvalidValue("comma-separated IP addresses or networks, such as 10.4.7.0/24");
  }
};

export const hostPatterns: Parse<string[]> = (value) =>
  list(value).map((item) => {
    const parsed = parseHostPattern(item);
    if (parsed.ok) return parsed.pattern;
    throw new InvalidValue(
      `comma-separated hosts such as example.com, *.example.com or example.com/shop, without https:// and port, which "${item.slice(0, 100)}" is not`,
    );
  });

export const listSource: Parse<string> = (value) => {
  const isWebSource = /^https?:\/\//.test(value) && parseUrl(value) !== undefined;
  if (isWebSource || isAbsolute(value)) return value;
  throw new InvalidValue("a URL that starts with https://, or the absolute path of a file");
};

export const resolvers: Parse<string[]> = (value) => {
  const items = list(value);
  if (items.every(isResolver)) return items;
  throw new InvalidValue("comma-separated IP addresses, such as 9.9.9.9 or [::1]:5353");
};

/** A network that the administrator opens for a workspace. Port null: the usual ports of the web. */
export interface PrivateNetwork {
  workspaceId: string;
  network: string;
  port: string | null;
}

/** Ranges in which networks can be opened. Cloud metadata is elsewhere, except for addresses that safe-fetch refuses. */
const openable = [
  { start: "10.0.0.0", bits: 8, max: 32, family: "ipv4" },
  { start: "172.16.0.0", bits: 12, max: 32, family: "ipv4" },
  { start: "192.168.0.0", bits: 16, max: 32, family: "ipv4" },
  { start: "fc00::", bits: 7, max: 128, family: "ipv6" },
] as const;

export const privateNetworks: Parse<PrivateNetwork[]> = (value) =>
  list(value).map((item) => {
    const [, workspaceId = "", start = "", bits = "", port = null] =
      /^(\w+)=([\da-f.:]+)\/(\d{1,3})(?::(\d{1,5}))?$/i.exec(item) ?? [];
    const isPort = port === null || (Number(port) >= 1 && Number(port) <= 65_535);
    if (parseId("ws", workspaceId) && isOpenable(start, Number(bits)) && isPort) {
      return { workspaceId, network: `${start}/${bits}`, port: port && String(Number(port)) };
    }
    throw new InvalidValue(
      `comma-separated private networks with the ID of their workspace, such as ws_01K3ZV5M3EJ2Q4R8ZC7D0N6XWB=10.2.0.0/16:8080, which "${item.slice(0, 100)}" is not`,
    );
  });

function isOpenable(start: string, bits: number): boolean {
  const family = isIP(start) === 4 ? "ipv4" : "ipv6";
  return openable.some((range) => {
    if (isIP(start) === 0 || range.family !== family) return false;
    const block = new BlockList();
    block.addSubnet(range.start, range.bits, family);
    return bits >= range.bits && bits <= range.max && block.check(start, family);
  });
}

function isResolver(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, six, four = six, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  return four !== undefined && isIP(four) === (six === undefined ? 4 : 6) && Number(port) <= 65_535;
}

export function processes(value: string): number {
  return value === "cores" ? availableParallelism() : integer(1, 256)(value);
}

const sentinels = /^sentinels?:\/\/(?:[^/?#@]*@)?[^/?#@]+\/[\w.-]+(?:\/\d+)?(?:\?[^#]*)?$/;

export function redisAddresses(value: string): string {
  if (/^sentinels?:/.test(value)) {
    if (sentinels.test(value)) return value;
    throw new InvalidValue("for Sentinel, such as sentinel://:password@a:26379,b:26379/mymaster");
  }
  for (const item of list(value)) address("redis", "rediss")(item);
  if (value.trim() !== "") return value;
  throw new InvalidValue("a URL that starts with redis:// or rediss://");
}
