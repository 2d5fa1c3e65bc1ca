/** A command's connection: the server, the API key, and how to write results. */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { parseUrl } from "#lib/basics/urls/schema";
import { type Fuxi, openFuxi } from "../sdk/index.ts";
import { configPath, readConfig, type StoredConfig } from "./config-file.ts";
import { CliFailure } from "./failures.ts";
import { type Paint, painterOf, type Terminal } from "./terminal.ts";

export interface GlobalOptions {
  server?: string;
  key?: string;
  json?: boolean;
  color: boolean;
}

export interface Session {
  fuxi: Fuxi;
  server: string;
  terminal: Terminal;
  paint: Paint;
  /** Writes results as JSON, for programs. */
  json: boolean;
}

/** Read from package.json next to the program: its version, and the instance that served it. */
export interface Origin {
  version: string;
  server: string | undefined;
}

export function readOrigin(file: URL): Origin {
  const { version, config } = JSON.parse(readFileSync(file, "utf8"));
  const { server } = Object(config);
  return { version: String(version), server: typeof server === "string" ? server : undefined };
}

export interface Place {
  terminal: Terminal;
  origin: Origin;
}

const timeoutMs = 60_000;
/** Enough for a file of 2 GB over a slow connection. */
const uploadTimeoutMs = 3_600_000;

export function configPathOf({ env }: Terminal): string {
  return configPath({ env, platform: process.platform, home: homedir() });
}

/** The address of the server: from the option, the environment, the last login, or the instance this program comes from. */
export function chooseServer(
  { terminal: { env }, origin }: Place,
  stored: StoredConfig,
  named: string | undefined,
): string {
  const chosen = named || env["FUXI_URL"] || stored.server || origin.server;
  if (!chosen) {
    throw new CliFailure(
      "usage",
      "Enter the URL of your Fuxi instance: fuxi login https://links.example.com",
    );
  }
  return normalizeServer(chosen);
}

function normalizeServer(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = parseUrl(address);
  if (!url) throw new CliFailure("usage", `${text} is not a URL.`);
  const { origin, username } = url;
  if (username) throw new CliFailure("usage", "Remove the user name from the URL.");
  return origin;
}

/** `application` is the name that the page of the API key shows, if it is not this program. */
export function openSession(place: Place, options: GlobalOptions, application?: string): Session {
  const { terminal } = place;
  const stored = readConfig(configPathOf(terminal));
  const server = chooseServer(place, stored, options.server);
  const apiKey = options.key || terminal.env["FUXI_API_KEY"] || stored.keys[server];
  if (!apiKey) {
    throw new CliFailure(
      "signedOut",
      `You aren’t signed in to ${server}. Run fuxi login, or set FUXI_API_KEY.`,
    );
  }
  return connect(place, options, { server, apiKey, ...(application && { application }) });
}

interface Login {
  server: string;
  apiKey: string;
  application?: string;
}

export function connect(
  { terminal, origin }: Place,
  { color, json = false }: GlobalOptions,
  { server, apiKey, application = `fuxi-cli/${origin.version}` }: Login,
): Session {
  const fuxi = openFuxi({
    address: server,
    apiKey,
    application,
    fetch: (request) => {
      const isUpload = request.headers.get("content-type") === "application/octet-stream";
      const signal = AbortSignal.timeout(isUpload ? uploadTimeoutMs : timeoutMs);
      // A redirect to another host would take the key along.
      return fetch(request, { signal, redirect: "error" });
    },
  });
  return { fuxi, server, terminal, paint: painterOf(terminal, color), json };
}

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the answer of a call. Throws a CliFailure with the message of the API. */
export async function take<Data>(asked: Promise<Answered<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    throw unreachable(cause);
  });
  if (response.ok && data !== undefined && data !== null) return data;
  throw refusal(response.status, error);
}

function refusal(status: number, error: unknown): CliFailure {
  const { code, message } = Object(Object(error).error);
  if (typeof code !== "string" || typeof message !== "string") {
    return new CliFailure(
      "unreachable",
      `The server returned status ${status} and doesn’t seem to be Fuxi. Check the URL.`,
    );
  }
  if (status === 401) return new CliFailure("signedOut", `${message} Run fuxi login.`, code);
  return new CliFailure(status >= 500 ? "unreachable" : "refused", message, code);
}

function unreachable(cause: unknown): CliFailure {
  if (cause instanceof SyntaxError) {
    return new CliFailure("unreachable", "The server doesn’t seem to be Fuxi. Check the URL.");
  }
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const text = reason instanceof Error ? reason.message || reason.name : String(reason);
  return new CliFailure(
    "unreachable",
    `Can’t reach the server (${text}). Check the URL and your connection.`,
  );
}

/** Results for programs: one document on stdout. */
export function writeJson({ terminal }: Session, result: unknown): void {
  terminal.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
}

export function writeLine({ terminal }: Session, line: string): void {
  terminal.stdout.write(`${line}\n`);
}

export function writeNote({ terminal }: Pick<Session, "terminal">, line: string): void {
  terminal.stderr.write(`${line}\n`);
}
