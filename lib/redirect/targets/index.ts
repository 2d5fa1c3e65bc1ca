import { targetEntry } from "#lib/links/link-cache";
import { keyOfPath } from "#lib/redirect/requests";
import { splitsOf } from "./forwarding.ts";
import type { Host } from "./hosts.ts";
import { targets } from "./links.ts";
import type { Target } from "./target.ts";

export { openCache } from "./cache.ts";
export { chooseUrl, findPlace } from "./choice.ts";
export { forwardUrl, mayForward, withQuery } from "./forwarding.ts";
export { redirectHead, writeHead } from "./head.ts";
export { type Host, hosts } from "./hosts.ts";
export { targets } from "./links.ts";
export { mayUse } from "./plans.ts";
export type { Target } from "./target.ts";

interface FoundTarget {
  target: Target;
  rest: string;
}

/** Apps include the text after a link, so its first six or seven characters are tried as a code. */
const swallowedText = /^([0-9A-Za-z]{6,7})[^0-9A-Za-z]/;

export async function findTarget(host: Host, path: string): Promise<FoundTarget | undefined> {
  const key = keyOfPath(path, host.folded);
  if (key === undefined) return undefined;
  const target = await targets.find(targetEntry(host.domainPk, key === "" ? "_root" : key));
  if (target) return { target, rest: "" };
  const forwarding = await findForwarding(host, path);
  if (forwarding) return forwarding;
  const found = await findWithoutSlashes(host, key);
  if (found) return { target: found, rest: "" };
  const code = swallowedText.exec(key)?.[1];
  const swallowed = code ? await targets.find(targetEntry(host.domainPk, code)) : undefined;
  return swallowed && { target: swallowed, rest: "" };
}

/** The link of a key with superfluous slashes: before, after or doubled. */
async function findWithoutSlashes(host: Host, key: string): Promise<Target | undefined> {
  const found = key
    .split("/")
    .filter((part) => part !== "")
    .join("/");
  if (found === "" || found === key) return undefined;
  return await targets.find(targetEntry(host.domainPk, found));
}

/** The link with the longest key before a slash of the path, if it forwards the rest. */
async function findForwarding(host: Host, path: string): Promise<FoundTarget | undefined> {
  const found = await Promise.all(
    splitsOf(path).map(async (split) => {
      const key = keyOfPath(split.path, host.folded);
      const target = key ? await targets.find(targetEntry(host.domainPk, key)) : undefined;
      return target?.extras?.forwardPath ? { target, rest: split.rest } : undefined;
    }),
  );
  return found.find((one) => one !== undefined);
}

/** The link whose preview is requested. Undefined if a link has this key with the plus. */
export async function findPreviewed(
  host: Host,
  path: string,
): Promise<{ target: Target; key: string } | undefined> {
  const key = keyOfPath(path, host.folded);
  if (!key?.endsWith("+")) return undefined;
  if (await targets.find(targetEntry(host.domainPk, key))) return undefined;
  const bare = key.slice(0, -1);
  const target = bare && (await targets.find(targetEntry(host.domainPk, bare)));
  return target ? { target, key: bare } : undefined;
}
