/** The TLS proxies with the files of deploy/: from the PATH, otherwise Debian's, unpacked next to the checkout. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createConnection } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { findOrUnpack } from "../scripts/debian.ts";
import { findFreePort } from "../scripts/ports.ts";
import { Advice, endChild, run } from "../scripts/processes.ts";

export type ProxyName = "nginx" | "caddy" | "haproxy";

const files = { nginx: "nginx.conf", caddy: "Caddyfile", haproxy: "haproxy.cfg" };

/** The file that is shipped. */
export function fileOf(name: ProxyName): string {
  return readFileSync(join("deploy", files[name]), "utf8");
}

export interface TlsProxy {
  port: number;
  stop: () => Promise<void>;
}

interface Behind {
  /** Where the proxy may write. */
  folder: string;
  /** The port of Fuxi. */
  port: number;
  localPort: number;
  /** The port of a second front. */
  secondPort?: number;
}

/** The same file as it stands in the guide of a language. */
export function fileOfGuide(name: ProxyName, language: "en" | "zh"): string {
  const guide = readFileSync(`docs/guides/operators.${language}.md`, "utf8");
  const found = guide.split(`\`\`\`${name}\n`)[1]?.split("```")[0];
  if (found === undefined) throw new Error(`The guide has no file for ${name}.`);
  return found;
}

/** Starts the proxy with the file that is shipped. Only ports and certificates are replaced. */
export async function startTlsProxy(name: ProxyName, behind: Behind): Promise<TlsProxy> {
  mkdirSync(behind.folder, { recursive: true });
  const [port, plainPort] = [await findFreePort(), await findFreePort()];
  const given = fileOf(name)
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${behind.port}`)
    .replaceAll("127.0.0.1:3100", `127.0.0.1:${behind.localPort}`)
    .replaceAll("127.0.0.1:3010", `127.0.0.1:${behind.secondPort ?? behind.port}`);
  const child = await starters[name]({
    folder: behind.folder,
    given,
    port,
    plainPort,
  });
  let log = "";
  child.stderr?.on("data", (text: Buffer) => {
    log += text;
  });
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${log}`);
  }
  return { port, stop: () => endChild(child, "SIGTERM") };
}

interface Start {
  folder: string;
  given: string;
  port: number;
  plainPort: number;
}

async function startNginx({ folder, given, port, plainPort }: Start): Promise<ChildProcess> {
  const nginx = await findOrUnpack("nginx", "usr/sbin/nginx");
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  await makeCertificate(certificate, key);
  const servers = given
    .replace("listen 443", `listen ${port}`)
    .replace("listen 80", `listen ${plainPort}`)
    .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    pid ${join(folder, "nginx.pid")};
    error_log stderr;
    events {}
    http {
      access_log off;
      ${temporary.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join("\n")}
      ${servers}
    }`,
  );
  return spawn(nginx.program, ["-c", file, "-p", folder, "-e", "stderr"], {
    env: { ...process.env, ...nginx.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Caddy's own authority signs: an ACME server cannot reach this machine. */
async function startCaddy({ folder, given, port, plainPort }: Start): Promise<ChildProcess> {
  const caddy = await findOrUnpack("caddy");
  const ports = `admin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port ${plainPort}\n\thttps_port ${port}`;
  const file = join(folder, "Caddyfile");
  writeFileSync(file, given.replace("{\n", `{\n\t${ports}\n`));
  return spawn(caddy.program, ["run", "--config", file, "--adapter", "caddyfile"], {
    env: {
      ...process.env,
      ...caddy.env,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** In one process, in the foreground. */
async function startHaproxy({ folder, given, port, plainPort }: Start): Promise<ChildProcess> {
  const haproxy = await findOrUnpack("haproxy", "usr/sbin/haproxy");
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  await makeCertificate(certificate, key);
  const both = join(folder, "both.pem");
  writeFileSync(both, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
  const file = join(folder, "haproxy.cfg");
  const text = given
    .replace("bind :80\n", `bind 127.0.0.1:${plainPort}\n`)
    .replace("bind :443", `bind 127.0.0.1:${port}`)
    .replace("/etc/ssl/links.example.com.pem", both);
  writeFileSync(file, text);
  return spawn(haproxy.program, ["-db", "-f", file], {
    env: { ...process.env, ...haproxy.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

const starters = { nginx: startNginx, caddy: startCaddy, haproxy: startHaproxy };

export async function makeCertificate(certificate: string, key: string): Promise<void> {
  const openssl = await findOrUnpack("openssl");
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=links.example.com", "-keyout", key, "-out", certificate];
  const ended = await run(openssl.program, [...args, ...names], { env: openssl.env });
  if (ended.code !== 0) throw new Advice(`openssl failed: ${ended.stderr}`);
}

/** Whether a TCP connection is accepted; waits a little when not. */
export async function listens(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => setTimeout(() => resolve(false), 50));
  });
}

export interface TlsRequest {
  host: string;
  path: string;
  headers?: Record<string, string>;
  /** The address that the proxy sees. */
  from?: string;
}

/** A request through TLS; rejects when the handshake fails. */
export function sendTls(
  { port }: TlsProxy,
  { host, path, headers = {}, from = "127.0.0.1" }: TlsRequest,
): Promise<{ status: number; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      path,
      servername: host,
      localAddress: from,
      rejectUnauthorized: false,
      agent: false,
      headers: { host, ...headers },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      response.resume();
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location }),
      );
    });
    sent.end();
  });
}

/** Whether the proxy has, or gets, a certificate for a name. */
export function shakesHands({ port }: TlsProxy, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false });
    socket.once("secureConnect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
