/** From the path of a visit to its link. */
import { targetEntry } from "#lib/links/link-cache";
import { targets } from "./caches.ts";
import { splitsOf } from "./forward.ts";
import type { Host } from "./store.ts";
import type { Target } from "./target.ts";
import { keyOfPath } from "./visitor.ts";

export interface FoundTarget {
  target: Target;
  /** The path after the key. */
  rest: string;
}

/** Apps that detect links in messages include trailing text: after six or seven characters the code is tried alone. */
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

/** The link of a key with superfluous slashes: after it, before it, or doubled. */
async function findWithoutSlashes(host: Host, key: string): Promise<Target | undefined> {
  const found = key
    .split("/")
    .filter((part) => part !== "")
    .join("/");
  if (found === "" || found === key) return undefined;
  return await targets.find(targetEntry(host.domainPk, found));
}

/** The link with the longest key before a slash of the path that forwards the rest. */
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
