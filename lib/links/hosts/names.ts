/** Host names in the form that browsers send: lower case, punycode, no port, no final dot. */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { config } from "#lib/platform/config";

const hostCharsMax = 253;
const labelCharsMax = 63;

export type ParsedHost = { ok: true; host: string } | { ok: false; message: string };

function invalidHost(message: string): ParsedHost {
  return { ok: false, message };
}

export function defaultHost(): string {
  const { FUXI_SHORT_HOST } = config();
  return FUXI_SHORT_HOST ?? dashboardHost();
}

export function dashboardHost(): string {
  return new URL(config().FUXI_URL).hostname;
}

/** Where visitors create links without an account. Undefined: nowhere. */
export function publicHost(): string | undefined {
  return config().FUXI_PUBLIC_SHORTENER;
}

export function isOwnHost(host: string): boolean {
  // defence: public-host-not-added
  return [defaultHost(), dashboardHost(), publicHost()].includes(host);
}

/** A host as browsers write it. Parsing every URL takes longer than all other checks. */
const namePattern = /^https?:\/\/[a-z0-9.-]*\.[a-z][a-z0-9-]*(?:[/?#:]|$)/;

/** True for a loopback address with our own port. Other local programs may be destinations. */
export function isOwnAddress(url: string): boolean {
  // defence: own-address-spellings
  if (namePattern.test(url) || !/^https?:/i.test(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  const isLoopback = /^(?:127(?:\.\d+){3}$|0\.0\.0\.0$|\[::1?\]$|\[::ffff:(?:7f|0:0\]))/.test(
    hostname,
  );
  return isLoopback && Number(port || (protocol === "https:" ? 443 : 80)) === config().PORT;
}

export function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/** Domains without verification: configured ones, and local ones of a local instance. */
export function isTrusted(host: string): boolean {
  return config().FUXI_DOMAINS_TRUSTED === "yes" || (isLocal(host) && isLocal(dashboardHost()));
}

/** The stored form of a host, or why it is invalid. `local` allows names below localhost. */
export function parseHost(text: string, local = isLocal(dashboardHost())): ParsedHost {
  if (/[/:@?#\\[\]%\s]/.test(text)) {
    return invalidHost(
      "Use only the host, such as go.example.com, without https://, port or path.",
    );
  }
  if (text.endsWith(".")) return invalidHost("Remove the trailing dot.");
  const host = domainToASCII(text);
  const labels = host.split(".");
  // A numeric last label makes the whole text an IPv4 address.
  if (isIP(host) || /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) {
    return invalidHost("IP addresses aren’t supported. Use a domain, such as go.example.com.");
  }
  if (host.length > hostCharsMax || !labels.every(isLabel)) {
    return invalidHost(
      `"${text.slice(0, hostCharsMax)}" isn’t a valid domain. Between dots, use 1 to ${labelCharsMax} letters, digits and inner hyphens.`,
    );
  }
  if (labels.length < 2)
    return invalidHost("Use a full domain with a dot, such as go.example.com.");
  if (isLocal(host) && !local) {
    return invalidHost("localhost can’t be reached by visitors. Use a public domain.");
  }
  return { ok: true, host };
}

function isLabel(label: string): boolean {
  return label.length <= labelCharsMax && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label);
}
