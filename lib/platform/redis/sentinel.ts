/** Parses `sentinel://user:password@a:26379,b:26379/<name of the primary>/<database>`. */
const sentinelPort = 26_379;

interface SentinelOptions {
  sentinels: { host: string; port: number }[];
  name: string;
  username?: string;
  password?: string;
  sentinelPassword?: string;
  db?: number;
  tls?: object;
  enableTLSForSentinelMode?: boolean;
}

/** The account is for Redis; `?sentinelPassword=` is for the sentinels. `sentinels:` encrypts. */
export function sentinelOptions(text: string): SentinelOptions {
  const [, secure, account = "", hosts = "", rest = ""] =
    /^sentinel(s?):\/\/(?:([^/?#@]*)@)?([^/?#@]+)(.*)$/.exec(text) ?? [];
  const [username = "", password = ""] = account.split(":").map(decodeURIComponent);
  const { pathname, searchParams } = new URL(`sentinel://host${rest}`);
  const [, name = "", database] = pathname.split("/");
  const sentinelPassword = searchParams.get("sentinelPassword");
  return {
    sentinels: hosts.split(",").map(serverOf),
    name,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    ...(database ? { db: Number(database) } : {}),
    ...(secure ? { tls: {}, enableTLSForSentinelMode: true } : {}),
  };
}

function serverOf(text: string): { host: string; port: number } {
  const [, host = "", port] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(text.trim()) ?? [];
  return { host, port: port ? Number(port) : sentinelPort };
}
