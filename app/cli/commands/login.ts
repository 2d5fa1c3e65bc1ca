/** Signing in and out. The API key is checked, then stored for its server. */
import { readConfig, writeConfig } from "../config-file.ts";
import { CliFailure } from "../failures.ts";
import {
  chooseServer,
  configPathOf,
  connect,
  type GlobalOptions,
  type Place,
  take,
  writeJson,
  writeNote,
} from "../session.ts";
import { plain, readLines, readSecret } from "../terminal.ts";

export async function login(
  place: Place,
  named: string | undefined,
  options: GlobalOptions,
): Promise<void> {
  const { terminal } = place;
  const path = configPathOf(terminal);
  const stored = readConfig(path);
  const server = chooseServer(place, stored, named ?? options.server);
  const apiKey = options.key || terminal.env["FUXI_API_KEY"] || (await askForKey(place, server));
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CliFailure("usage", "Enter an API key. You create one under Settings → API keys.");
  }
  const session = connect(place, options, { server, apiKey });
  const me = await take(session.fuxi.GET("/api/me"));
  writeConfig(path, { server, keys: { ...stored.keys, [server]: apiKey } });
  if (session.json) writeJson(session, { server, ...me });
  const { slug } = me.workspace;
  writeNote(session, `Signed in to ${server}, workspace ${plain(slug)} (${me.role}).`);
}

async function askForKey({ terminal }: Place, server: string): Promise<string> {
  if (!terminal.stdin.isTTY) return (await readLines(terminal))[0] ?? "";
  terminal.stderr.write(`Create an API key under Settings → API keys of ${server}/app\n`);
  const key = await readSecret(terminal, "API key (not shown): ");
  if (key === undefined) throw new CliFailure("usage", "Canceled.");
  return key.trim();
}

export function logout(place: Place, options: GlobalOptions): void {
  const path = configPathOf(place.terminal);
  const stored = readConfig(path);
  const server = chooseServer(place, stored, options.server);
  const { [server]: removed, ...keys } = stored.keys;
  writeConfig(path, { keys, ...(stored.server !== server && { server: stored.server ?? server }) });
  if (options.json) place.terminal.stdout.write(`${JSON.stringify({ server })}\n`);
  const text = removed
    ? `Signed out of ${server}. The API key is still valid: revoke it under Settings → API keys.`
    : `You weren’t signed in to ${server}.`;
  writeNote(place, text);
}
