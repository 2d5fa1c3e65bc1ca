/**
 * Carries invalidations to every process. A process that has received none lately sends a heartbeat.
 * Each loss of the channel starts a new *epoch*: messages may have been missed, so everything
 * cached in an earlier one is checked before use.
 */
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { logUnlessStarved, onClose } from "#lib/platform/processes";
import { closeRedis, openRedis, type RedisClient, redis, redisKeys } from "#lib/platform/redis";
import { hasReplicas } from "#lib/platform/replicas";
import { RecentChanges } from "./recent-changes.ts";

const heartbeatEveryMs = 200;
const silenceMaxMs = 750;
/** Needed because a subscriber sends nothing, so it would stay on a connection that Redis has lost. */
const reconnectAfterMs = 5_000;
const heartbeat = "";
/** Says that a process has swept the outbox, so that the others need not. Earlier versions read it as no change. */
const swept = "[]";
/** Two heartbeats. */
const sweepEveryMs = 350;

/** A plain field, because every visit reads it: the current epoch, and whether messages arrive. */
export const channel = { epoch: 1, listening: false, onBeat };

type Listener = (entry: string) => void;
const listeners = new Set<Listener>();
let subscriber: RedisClient | undefined;
let timer: NodeJS.Timeout | undefined;
let receivedAt = 0;
let reconnectedAt = 0;
let sweptAt = 0;
let sweepOnBeat = () => false;
let epochSince = 0;
let recent: RecentChanges | undefined;

export function onInvalidation(listener: Listener): void {
  listeners.add(listener);
}

export function wasChanged(entry: string): boolean {
  return recent?.has(entry, performance.now()) ?? false;
}

/** Whether every fresh replica has the last change of an entry, and no change was missed. */
export function isUnchanged(entry: string): boolean {
  if (!channel.listening) return false;
  const boundMs = config().DATABASE_READ_LAG_MAX_MS;
  return performance.now() - epochSince > boundMs && !wasChanged(entry);
}

function noteChanges(entries: readonly string[]): void {
  if (!hasReplicas()) return;
  recent ??= new RecentChanges(config().DATABASE_READ_LAG_MAX_MS);
  const now = performance.now();
  for (const entry of entries) recent.add(entry, now);
}

/** Invalidates in this process, without the round trip through Redis. */
export function invalidateHere(entries: readonly string[]): void {
  noteChanges(entries);
  for (const entry of entries) for (const listener of listeners) listener(entry);
}

export async function broadcast(entries: readonly string[]): Promise<void> {
  if (entries.length > 0) {
    await redis("cache").publish(redisKeys.coherenceChannel, JSON.stringify(entries));
  }
}

export async function announceSweep(): Promise<void> {
  await redis("cache").publish(redisKeys.coherenceChannel, swept);
}

/** Whether no process has swept the outbox lately, as far as messages arrive. */
export function isSweepDue(): boolean {
  return channel.listening && performance.now() - sweptAt >= sweepEveryMs;
}

const followers = new Set<() => void>();

/** Calls it with each heartbeat, which spares a timer. Returns a function that ends this. */
function onBeat(follow: () => void): () => void {
  followers.add(follow);
  timer ??= setInterval(beat, heartbeatEveryMs);
  return () => followers.delete(follow);
}

/** `sweep`: true if it will announce a sweep, which is as good as a heartbeat. */
export function openChannel(sweep = () => false): void {
  if (subscriber) return;
  const client = openRedis("coherence", "patient", "cache");
  subscriber = client;
  client.on("message", (_channel: string, message: string) => receive(message));
  client.subscribe(redisKeys.coherenceChannel).catch(() => undefined);
  sweepOnBeat = sweep;
  timer ??= setInterval(beat, heartbeatEveryMs);
  onClose("coherence channel", closeChannel);
}

async function closeChannel(): Promise<void> {
  clearInterval(timer);
  timer = undefined;
  const closing = subscriber;
  subscriber = undefined;
  if (closing) await closeRedis(closing);
}

function receive(message: string): void {
  receivedAt = performance.now();
  if (!channel.listening) {
    // Values cached without a subscription belong to an earlier epoch.
    channel.epoch += 1;
    channel.listening = true;
    epochSince = performance.now();
    log.info({ event: "coherence.listening", epoch: channel.epoch });
  }
  if (message === swept) sweptAt = receivedAt;
  else if (message !== heartbeat) invalidateHere(parseEntries(message));
}

function parseEntries(message: string): string[] {
  const entries: unknown = JSON.parse(message);
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === "string") : [];
}

function beat(): void {
  if (subscriber) keepAlive();
  for (const follow of followers) follow();
}

function keepAlive(): void {
  const silence = performance.now() - receivedAt;
  if (channel.listening && silence > silenceMaxMs) {
    channel.epoch += 1;
    channel.listening = false;
    logUnlessStarved("warn", { event: "coherence.lost", silenceMs: Math.round(silence) });
  }
  const sinceReconnect = performance.now() - reconnectedAt;
  if (Math.min(silence, sinceReconnect) > reconnectAfterMs && subscriber?.status === "ready") {
    reconnectedAt = performance.now();
    subscriber.disconnect(true);
  }
  if (!sweepOnBeat() && silence > heartbeatEveryMs / 2) {
    redis("cache")
      .publish(redisKeys.coherenceChannel, heartbeat)
      .catch(() => undefined);
  }
}
