/**
 * Missed links: visits of names that no link has, on domains of workspaces. They are noted in
 * memory and written about once a second, so a miss costs no statement. A process that is killed
 * loses the misses of its last second. While PostgreSQL is away, they wait in memory, and those
 * whose commit it did not answer may count twice.
 */
import { isUnavailable } from "#lib/platform/errors";
import { exposeCounters, log } from "#lib/platform/log";
import { onClose } from "#lib/platform/processes";
import { dayOf } from "#lib/platform/visitor-salts";
import { PendingMisses } from "./pending.ts";
import { addDay } from "./store.ts";

const flushEveryMs = 1_000;
const keyCharsMax = 64;

/** Scanners look for weak software, and browsers for icons, on every host. */
const scanned =
  /^(?:\.|wp-|wordpress|xmlrpc|cgi-bin|phpmyadmin|vendor\/|apple-touch-icon)|\.(?:php\d?|aspx?|jsp|cgi|env|sql|bak|ya?ml|ini)(?:\/|$)/i;

/** An address, a phone number, or text that is not meant to be shown. */
const personal = /@|\d{7}|\p{C}/u;

const pending = new PendingMisses();
const counters = { noted: 0, lost: 0 };
exposeCounters(
  "missed_links",
  "Visits of links that do not exist, and those not counted.",
  counters,
);
let timer: NodeJS.Timeout | undefined;
let writing: Promise<void> = Promise.resolve();

interface Miss {
  domainPk: number;
  /** Undefined for domains of the instance, whose names belong to many workspaces. */
  workspacePk: number | undefined;
  /** Undefined: the path is no valid key. */
  key: string | undefined;
  isBot: boolean;
}

export function openMisses(): void {
  onClose("missed links", flushMisses);
}

export function noteMiss({ domainPk, workspacePk, key, isBot }: Miss, now: number): void {
  if (workspacePk === undefined) return;
  const name = key?.split("/").filter(Boolean).join("/");
  if (name === "") return;
  const day = pending.find({ domainPk, workspacePk, day: dayOf(now) });
  counters[day ? "noted" : "lost"] += 1;
  if (!day) return;
  if (isBot || scanned.test(name ?? "")) day.bots += 1;
  else if (name !== undefined && mayStore(name)) pending.add(day, name, 1, now);
  else day.others += 1;
  timer ??= startTimer();
}

function mayStore(name: string): boolean {
  // defence: personal-names-not-stored
  return name.length <= keyCharsMax && !personal.test(name);
}

function startTimer(): NodeJS.Timeout {
  return setTimeout(() => void flushMisses(), flushEveryMs).unref();
}

/** Writes what is pending. Flushes take turns, because one can take longer than a second. */
export function flushMisses(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  writing = writing.then(writeDays);
  return writing;
}

async function writeDays(): Promise<void> {
  const days = pending.take();
  for (let [day] = days; day; [day] = days) {
    try {
      await addDay(day);
    } catch (error) {
      log.warn({ event: "missed_links.not_written", error: String(error) });
      if (isUnavailable(error)) break;
    }
    days.shift();
  }
  for (const day of days) pending.putBack(day);
  if (days.length > 0) timer ??= startTimer();
}
