/** Every step of the Dockerfile, and processes of the image as compose and `docker run` start them. Only with --long. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findFreePort } from "../../scripts/ports.ts";
import { startPostgres } from "../../scripts/postgres.ts";
import { startRedis } from "../../scripts/redis.ts";
import { openApi, send } from "../../test/http-client.ts";
import {
  buildImage,
  type Container,
  type Image,
  makeVolume,
  runContainer,
  startContainer,
} from "./image.ts";
import { apiKey, browser } from "./stage.ts";

const buildMaxMs = 5_400_000;
const healthyMaxMs = 240_000;
const closers: (() => Promise<unknown>)[] = [];
const containers: Container[] = [];
/** Of PostgreSQL, as compose passes it on: its characters have a meaning in URLs. */
const password = "p@ss/w:rd?#%";
let folder = "";
let data = "";
let image: Image;
/** What a person sets for compose.yaml. */
let settings: Record<string, string>;
let url: string;

async function openStores(): Promise<Record<string, string>> {
  const options = { dataDir: folder, password: "image", report: () => undefined };
  const postgres = await startPostgres(options);
  closers.push(() => postgres.stop());
  const redis = await startRedis(options);
  closers.push(() => redis.stop());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`ALTER ROLE fuxi PASSWORD '${password}'`);
  await client.end();
  const url = new URL(postgres.url);
  url.password = "";
  return { DATABASE_URL: url.href, PGPASSWORD: password, REDIS_URL: redis.url };
}

function optionsOf(command: string[], more: Record<string, string> = {}) {
  return { data, settings: { ...settings, ...more }, command };
}

async function start(command: string[], more?: Record<string, string>): Promise<Container> {
  return keep(await startContainer(image, optionsOf(command, more)));
}

function keep(container: Container): Container {
  containers.push(container);
  return container;
}

async function untilHealthy(container: Container, command: string[]): Promise<void> {
  const check = async () => (await container.exec(command)).code;
  await expect.poll(check, { timeout: healthyMaxMs, interval: 1_000 }).toBe(0);
}

/** Pages get ready after the front. */
async function untilPages(): Promise<void> {
  const visit = async () => (await send(`${url}/signin`)).status;
  await expect.poll(visit, { timeout: healthyMaxMs, interval: 500 }).toBe(200);
}

/** The status of each process in its namespace. */
function statusesOf(container: Container): string[] {
  const namespaceOf = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/ns/pid`);
    } catch {
      return undefined; // it has ended
    }
  };
  const own = namespaceOf(String(container.pid));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && namespaceOf(name) === own)
    .map((pid) => readFileSync(`/proc/${pid}/status`, "utf8"));
}

async function createAndVisit(destination: string): Promise<string> {
  const { status, body } = await openApi(url, apiKey)("POST", "/links", { url: destination });
  expect(status, JSON.stringify(body)).toBe(200);
  const { key } = body as { key: string };
  await visitLink(key, destination);
  return key;
}

async function visitLink(key: string, destination: string): Promise<void> {
  const visit = await send(`${url}/${key}`, { headers: { "user-agent": browser } });
  expect([visit.status, visit.headers.location]).toEqual([302, destination]);
}

describe.runIf(process.env["TEST_LONG"])("the image", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fuxi-image-"));
    data = join(folder, "data");
    image = await buildImage(folder);
    makeVolume(image, "/data", data);
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    settings = {
      ...(await openStores()),
      PORT: String(port),
      FUXI_URL: url,
      FUXI_FETCH: "none",
      FUXI_OWNER_EMAIL: "owner@example.com",
      FUXI_OWNER_PASSWORD: "a long enough password",
      FUXI_API_KEY: apiKey,
      FUXI_LOG_LEVEL: "error",
    };
  }, buildMaxMs);

  afterEach(async () => {
    for (const container of containers.splice(0)) await container.kill();
  });

  afterAll(async () => {
    for (const close of closers.reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("it has the deployment without the tools that built it, and one folder for data", () => {
    expect(existsSync(join(image.root, "srv/fuxi/.next/fuxi-processes/front.mjs"))).toBe(true);
    for (const path of ["build", "srv/fuxi/node_modules/typescript", "srv/fuxi/scripts"]) {
      expect([path, existsSync(join(image.root, path))]).toEqual([path, false]);
    }
    expect(Object.keys(image.config.Volumes)).toEqual(["/data"]);
    const { uid, gid, mode } = statSync(data);
    expect([uid, gid, mode & 0o777]).toEqual([1000, 1000, 0o700]);
  });

  test("its command serves, is healthy, and ends without an error", async () => {
    const [kind, ...health] = image.config.Healthcheck.Test;
    expect(kind).toBe("CMD");
    expect(await runContainer(image, optionsOf(health)), "nothing listens yet").toBe(1);

    const container = await start(image.config.Cmd);
    await untilHealthy(container, health);
    await createAndVisit("https://example.com/image");
    await untilPages();

    const statuses = statusesOf(container);
    expect(statuses.length).toBeGreaterThan(3);
    for (const status of statuses) {
      expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
      expect(status).toMatch(/^Gid:\t1000\t1000\t1000\t1000$/m);
      for (const set of ["Inh", "Prm", "Eff", "Bnd", "Amb"]) {
        expect(status).toMatch(new RegExp(`^Cap${set}:\\t0+$`, "m"));
      }
    }
    const write = ["node", "-e", `fs.writeFileSync("/srv/fuxi/written", "")`];
    expect((await container.exec(write)).stderr).toContain("EROFS");
    expect(await container.stop()).toBe(0);
  });

  test("the processes of compose.processes.yaml serve and are healthy", async () => {
    const { services } = parse(readFileSync("deploy/compose.processes.yaml", "utf8"), {
      merge: true,
    });
    const { codeKey, codeTweak, sessionSecret } = JSON.parse(
      readFileSync(join(data, "secrets.json"), "utf8"),
    );
    const [webPort, workerPort] = [await findFreePort(), await findFreePort()];
    const common = {
      FUXI_CODE_KEY: codeKey,
      FUXI_CODE_TWEAK: codeTweak,
      FUXI_SESSION_SECRET: sessionSecret,
      FUXI_OPERATOR_TOKEN: "the operator token of the image",
      FUXI_WEB_URL: `http://127.0.0.1:${webPort}`,
      FUXI_WORKER_HOST: "127.0.0.1",
    };
    expect(await runContainer(image, optionsOf(services.migrate.command, common))).toBe(0);

    const web = await start(services.web.command, common);
    const worker = await start(services.worker.command, {
      ...common,
      FUXI_WORKER_PORT: String(workerPort),
    });
    const front = await start(services["front-1"].command, common);
    await untilHealthy(front, ["node", "health.mjs"]);
    await untilHealthy(web, ["node", "health.mjs", String(webPort)]);
    await untilHealthy(worker, ["node", "health.mjs", String(workerPort)]);
    await createAndVisit("https://example.com/processes");
    await untilPages();
    expect(await front.stop()).toBe(0);
    expect([await web.stop(), await worker.stop()]).toEqual([0, 0]);
  });

  test("with stores inside, links survive the end and the loss of the container", async () => {
    const volume = join(folder, "all-in-one");
    makeVolume(image, "/data", volume);
    const { DATABASE_URL, PGPASSWORD, REDIS_URL, ...own } = settings;
    const options = { data: volume, settings: own, command: image.config.Cmd };
    const [, ...health] = image.config.Healthcheck.Test;
    const restart = async () => {
      const container = keep(await startContainer(image, options));
      await untilHealthy(container, health);
      return container;
    };
    const first = await restart();
    const key = await createAndVisit("https://example.com/inside");
    await untilPages();
    for (const status of statusesOf(first))
      expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(await first.stop()).toBe(0);
    expect(readdirSync(join(volume, "postgres"))).not.toContain("postmaster.pid");

    await (await restart()).kill();
    const third = await restart();
    await visitLink(key, "https://example.com/inside");
    expect(await third.stop()).toBe(0);
  });
});
