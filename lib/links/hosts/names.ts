/**
 * Host names: validates domains and converts them to their stored form, which is the one that a browser sends in its
 * Host header: lower case, punycode, without port and final dot.
 */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { config } from "#lib/platform/config";

const hostCharsMax = 253;
const labelCharsMax = 63;

export type ParsedHost = { ok: true; host: string } | { ok: false; message: string };

function invalidHost(message: string): ParsedHost {
  return { ok: false, message };
}

/** The host of the instance's own short domain. */
export function defaultHost(): string {
  const { FUXI_SHORT_HOST } = config();
  return FUXI_SHORT_HOST ?? dashboardHost();
}

/** The host that people trust with their password. */
export function dashboardHost(): string {
  return new URL(config().FUXI_URL).hostname;
}

/** True for a host that the instance itself serves. */
export function isOwnHost(host: string): boolean {
  return host === defaultHost() || host === dashboardHost();
}

/** A host with a name in the notation of a browser: parsing every URL takes longer than all other checks of a create. */
const namePattern = /^https?:\/\/[a-z0-9.-]*\.[a-z][a-z0-9-]*(?:[/?#:]|$)/;

/**
 * True for a URL of this instance with a loopback address, in any notation. Other programs of the machine may be
 * destinations: only the port of the instance is refused.
 */
export function isOwnAddress(url: string): boolean {
  // defence: own-address-spellings
  if (namePattern.test(url) || !/^https?:/i.test(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  const isLoopback = /^(?:127(?:\.\d+){3}$|0\.0\.0\.0$|\[::1?\]$|\[::ffff:(?:7f|0:0\]))/.test(
    hostname,
  );
  return isLoopback && Number(port || (protocol === "https:" ? 443 : 80)) === config().PORT;
}

/** True for a name that resolves to the machine itself. */
export function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/** True for a domain that needs no verification: the operator listed it, or both it and the instance are local. */
export function isTrusted(host: string): boolean {
  return config().FUXI_DOMAINS_TRUSTED === "yes" || (isLocal(host) && isLocal(dashboardHost()));
}

/** The host in a text, or why it is invalid. `local`: whether names below localhost are allowed. */
export function parseHost(text: string, local = isLocal(dashboardHost())): ParsedHost {
  if (/[/:@?#\\[\]%\s]/.test(text)) {
    return invalidHost(
      "Use only the host, such as go.example.com, without https://, port or path.",
    );
  }
  if (text.endsWith(".")) return invalidHost("Remove the trailing dot.");
  // Empty for an invalid host.
  const host = domainToASCII(text);
  const labels = host.split(".");
  // A numeric last label makes the whole an IPv4 address, in any of its notations.
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
