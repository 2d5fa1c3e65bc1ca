/**
 * The image without a container runtime. Debian's buildah executes the steps of the Dockerfile in a chroot, on a new Debian
 * with the Node that the Dockerfile names and the npm of this machine. A container is a process of the image in namespaces of its own, with the account,
 * folder and environment that the image says, without capabilities, and with a read-only root, as in compose.yaml.
 */
import { spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { findOrUnpack } from "../../scripts/debian.ts";
import { describeImageNode, fetchNode } from "../../scripts/node-builds.ts";
import { findProgram, hasEnded, run } from "../../scripts/processes.ts";

const stepMaxMs = 3_600_000;

/** What the Dockerfile says about processes. */
interface ImageConfig {
  User: string;
  Env: string[];
  Cmd: string[];
  Volumes: Record<string, object>;
  WorkingDir: string;
  StopSignal: NodeJS.Signals;
  Healthcheck: { Test: string[] };
}

export interface Image {
  /** The folder that is the root of its processes. */
  root: string;
  config: ImageConfig;
}

/** Runs a program to its end; anything but success is an error with the end of its output. */
async function must(program: string, args: string[], env: Record<string, string> = {}) {
  const ended = await run(program, args, { env, timeoutMs: stepMaxMs });
  if (ended.code === 0) return ended.stdout.trim();
  const output = `${ended.stdout}\n${ended.stderr}`.trim().slice(-4_000);
  throw new Error(`${program} ${args.join(" ")} ended with ${ended.code}:\n${output}`);
}

/** Says what is missing, because a test that is left out would prove nothing. */
async function assertPermitted(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error("Building the image in a chroot needs root.");
  const tried = await run("unshare", ["--mount", "--pid", "--fork", "true"]);
  if (tried.code !== 0) throw new Error(`This machine permits no namespaces: ${tried.stderr}`);
}

/** A Debian as Node's images have it: the required packages, the named ones, Node and npm, and the account "node". */
export async function writeBase(folder: string, included: readonly string[] = []): Promise<void> {
  const { version, suite } = describeImageNode();
  const {
    program,
    env,
    folder: unpacked,
  } = await findOrUnpack("debootstrap", "usr/sbin/debootstrap");
  const own = unpacked ? { DEBOOTSTRAP_DIR: join(unpacked, "usr/share/debootstrap") } : {};
  // Of several options, only the last would count.
  const include = included.length > 0 ? [`--include=${included.join(",")}`] : [];
  await must(program, ["--variant=minbase", ...include, suite, folder], { ...env, ...own });
  cpSync(await fetchNode(version), join(folder, "usr/local/bin/node"));
  const npm = dirname(dirname(realpathSync(findProgram("npm") ?? "npm")));
  mkdirSync(join(folder, "usr/local/lib/node_modules"), { recursive: true });
  cpSync(npm, join(folder, "usr/local/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(folder, "usr/local/bin/npm"));
  appendFileSync(join(folder, "etc/passwd"), "node:x:1000:1000::/home/node:/bin/bash\n");
  appendFileSync(join(folder, "etc/group"), "node:x:1000:\n");
  // Container runtimes write it at the start of a container.
  writeFileSync(join(folder, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n");
}

/** How npm reaches its registry from this machine: mounted during the steps, and not part of the image. */
async function listNpmMounts(folder: string): Promise<string[]> {
  const read = async (name: string) => (await run("npm", ["config", "get", name])).stdout.trim();
  const own = await read("userconfig");
  const trusted = await read("cafile");
  const extra = process.env["NODE_EXTRA_CA_CERTS"] ?? "";
  const certificates = existsSync(trusted) ? trusted : extra;
  const settings = join(folder, "npmrc");
  // The steps do not have the variable of this process.
  const added = existsSync(certificates) ? `\ncafile=${certificates}\n` : "";
  writeFileSync(settings, (existsSync(own) ? readFileSync(own, "utf8") : "") + added);
  const files = [
    [await read("globalconfig"), "/usr/local/etc/npmrc"],
    [settings, "/root/.npmrc"],
    [certificates, certificates],
  ] as const;
  return files
    .filter(([file]) => existsSync(file))
    .flatMap(([file, target]) => ["--volume", `${file}:${target}:ro`]);
}

/**
 * The command that finds these libraries also in processes without its environment, which buildah starts: by a list of libraries
 * that only its own mounts have.
 */
async function withLibraries(
  program: string,
  libraries: string,
  folder: string,
): Promise<[string, ...string[]]> {
  const list = join(folder, "libraries.cache");
  await must("ldconfig", ["-C", list, ...libraries.split(":")]);
  const script = `mount --bind "$0" /etc/ld.so.cache && exec "$@"`;
  return ["unshare", "--mount", "sh", "-c", script, list, program];
}

/**
 * Builds the image of this checkout that has stores inside; everything is in the folder. Its target needs every step of the
 * Dockerfile: the other image is the one before its last stage.
 */
export async function buildImage(folder: string): Promise<Image> {
  await assertPermitted();
  const base = join(folder, "base");
  await writeBase(base);

  const { program, env, folder: unpacked } = await findOrUnpack("buildah");
  const policy = unpacked
    ? ["--signature-policy", join(unpacked, "etc/containers/policy.json")]
    : [];
  const places = ["--root", join(folder, "images"), "--runroot", join(folder, "run")];
  const [command, ...first] = unpacked
    ? await withLibraries(program, env["LD_LIBRARY_PATH"] ?? "", folder)
    : [program];
  // Plain folders, which need no mounts that would outlive a killed test.
  const buildah = (...args: string[]) =>
    must(command, [...first, "--storage-driver", "vfs", ...places, ...args], env);
  await buildah("from", ...policy, "--name", "base", "scratch");
  await buildah("copy", "--quiet", "base", base, "/");
  await buildah("commit", "--quiet", ...policy, "base", "localhost/node");
  await buildah("rm", "base");
  rmSync(base, { recursive: true });

  const mounts = await listNpmMounts(folder);
  const host = ["--isolation", "chroot", "--network", "host", ...mounts];
  // Only this format has health checks.
  const options = ["--format", "docker", "--layers=false", "--build-arg", "NODE=localhost/node"];
  const wanted = ["--target", "all-in-one", "--tag", "localhost/fuxi", "."];
  await buildah("build", ...policy, ...host, ...options, ...wanted);
  const inspected = JSON.parse(await buildah("inspect", "--type", "image", "localhost/fuxi"));
  await buildah("from", ...policy, "--name", "fuxi", "localhost/fuxi");
  return { root: await buildah("mount", "fuxi"), config: inspected.Docker.config };
}

/** A new volume has the account and mode of the image's folder. */
export function makeVolume(image: Image, path: string, folder: string): void {
  const { uid, gid, mode } = statSync(join(image.root, path));
  mkdirSync(folder);
  chownSync(folder, uid, gid);
  chmodSync(folder, mode & 0o7777);
}

/** Its arguments: the root, the volume, and the command. The mounts end with the namespace. */
const enter = `
set -e
root=$1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
mount --bind "$2" "$root/data"
mount -o remount,bind,ro "$root"
shift 2
exec chroot "$root" "$@"`;

/** A command with the account, folder and environment of the image. */
function asImage({ config }: Image, settings: Record<string, string>, command: string[]): string[] {
  const [user, group] = config.User.split(":");
  const account = [`--reuid=${user}`, `--regid=${group}`, "--clear-groups"];
  const rights = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];
  const given = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return [
    ...["/usr/bin/setpriv", ...account, ...rights],
    ...["/usr/bin/env", "-i", "-C", config.WorkingDir, ...config.Env, ...given, ...command],
  ];
}

export interface Container {
  /** The pid of its first process. */
  pid: number;
  /** Runs a command in it, as a health check does. */
  exec: (command: string[]) => ReturnType<typeof run>;
  /** Asks the first process to end as the image says, and waits for its exit code. */
  stop: () => Promise<number | null>;
  /** Does nothing when it has ended. */
  kill: () => Promise<void>;
}

interface ContainerOptions {
  /** The folder that is /data. */
  data: string;
  settings: Record<string, string>;
  command: string[];
}

function spawnContainer(image: Image, { data, settings, command }: ContainerOptions) {
  const entered = ["--mount", "--pid", "--fork", "sh", "-c", enter, "sh", image.root, data];
  const all = [...entered, ...asImage(image, settings, command)];
  const child = spawn("unshare", all, { stdio: ["ignore", "inherit", "inherit"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  return { child, ended };
}

/** For a command that ends by itself; its exit code. */
export function runContainer(image: Image, options: ContainerOptions): Promise<number | null> {
  return spawnContainer(image, options).ended;
}

export async function startContainer(image: Image, options: ContainerOptions): Promise<Container> {
  const { child, ended } = spawnContainer(image, options);
  const pid = await findChild(Number(child.pid), () => hasEnded(child));
  const inside = ["--target", String(pid), "--mount", "--pid", "--root"];
  return {
    pid,
    exec: (one) => run("nsenter", [...inside, ...asImage(image, options.settings, one)]),
    stop: () => {
      process.kill(pid, image.config.StopSignal);
      return ended;
    },
    // The others of its namespace end with it. Ending unshare would not: the change of the account detaches it.
    kill: async () => {
      if (!hasEnded(child)) process.kill(pid, "SIGKILL");
      await ended;
    },
  };
}

/** unshare forks once, and ignores signals from then on. */
async function findChild(parent: number, hasFailed: () => boolean): Promise<number> {
  while (!hasFailed()) {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim();
    if (children !== "") return Number(children);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("The container ended before its first process started");
}
