/** The same contract for both stores: a folder, and OpenStack Swift with its S3 API. */
import { randomBytes } from "node:crypto";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { config } from "#lib/platform/config";
import { type ObjectStore, startObjectStore } from "../../../test/object-store.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  bytesOf,
  checkFiles,
  FileMissing,
  FileStoreUnavailable,
  files,
  removeOrphans,
} from "./index.ts";
import { blockBytes, S3Requests } from "./s3-requests.ts";

openTestStores();

let store: ObjectStore;
const noStore = { FUXI_S3_URL: undefined, FUXI_S3_PUBLIC_URL: undefined };

beforeAll(async () => {
  store = await startObjectStore();
});
afterAll(() => store.stop());

function choose(settings: Record<string, string | undefined>): void {
  Object.assign(config(), noStore, settings);
}

async function contentOf(name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(await files().open(name))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of files().list(folder)) names.push(name);
  return names.sort();
}

function put(name: string, content: Buffer | string): Promise<number> {
  return files().write(name, (add) => add(Buffer.from(content)));
}

/** What a patch has to replace: in the first block, across a border of blocks, and at the end. */
const large = randomBytes(2 * blockBytes + 7);

describe.each(["a folder", "an S3-compatible store"])("in %s", (kind) => {
  const settingsOf = () => (kind === "a folder" ? {} : store.settings);
  beforeAll(() => choose(settingsOf()));

  test.each([
    ["no byte", 0],
    ["one byte", 1],
    ["one block", blockBytes],
    ["one block and a byte", blockBytes + 1],
  ])("a file of %s is written in any steps and read from any position", async (_, size) => {
    const content = randomBytes(size);
    const bytes = await files().write("sizes/one.bin", async (add) => {
      for (let at = 0; at < size; at += 1_000_003) await add(content.subarray(at, at + 1_000_003));
    });
    expect(bytes).toBe(size);
    expect((await contentOf("sizes/one.bin")).equals(content)).toBe(true);
    expect(await files().find("sizes/one.bin")).toMatchObject({ bytes: size });
    const file = await files().open("sizes/one.bin");
    const from = Math.floor(size / 3);
    const buffer = Buffer.alloc(Math.min(size - from, 1_000));
    if (size > 0) await file.read(buffer, 0, buffer.length, from);
    await file.close();
    expect(buffer.equals(content.subarray(from, from + buffer.length))).toBe(true);
  });

  test("a file that could not be finished does not exist, and replaces none", async () => {
    await put("broken/kept.bin", "before");
    for (const name of ["broken/kept.bin", "broken/new.bin"]) {
      const failing = files().write(name, async (add) => {
        await add(large);
        throw new Error("the reader failed");
      });
      await expect(failing).rejects.toThrow("the reader failed");
    }
    expect((await contentOf("broken/kept.bin")).toString()).toBe("before");
    expect(await namesIn("broken")).toEqual(["broken/kept.bin"]);
  });

  test("a received file is taken from its path", async () => {
    const path = await files().scratch("taken/one.bin");
    writeFileSync(`${path}.part`, "received");
    await files().adopt(`${path}.part`, "taken/one.bin");
    expect((await contentOf("taken/one.bin")).toString()).toBe("received");
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("a missing file is reported as missing, and removing it is no error", async () => {
    await expect(files().open("missing/one.bin")).rejects.toThrow(FileMissing);
    expect(await files().find("missing/one.bin")).toBeUndefined();
    await files().remove("missing/one.bin");
    await put("missing/two.bin", "there");
    await files().remove("missing/two.bin");
    expect(await files().find("missing/two.bin")).toBeUndefined();
    expect(await namesIn("missing")).toEqual([]);
  });

  test("patches replace bytes where they are, across blocks too", async () => {
    await put("patched/one.bin", large);
    const patches = [
      { position: 3, bytes: Buffer.from("first") },
      { position: blockBytes - 2, bytes: Buffer.from("border") },
      { position: large.length - 3, bytes: Buffer.from("end") },
    ];
    const expected = Buffer.from(large);
    for (const { position, bytes } of patches) expected.set(bytes, position);
    await files().patch(
      "patched/one.bin",
      (async function* () {
        yield* patches;
      })(),
    );
    expect((await contentOf("patched/one.bin")).equals(expected)).toBe(true);
  });

  test("a sweep removes what has no row and what is incomplete, once it is old", async () => {
    for (const name of ["imp_1.jsonl", "imp_2.jsonl", "imp_1.jsonl.raw"]) {
      await put(`swept/${name}`, "x");
    }
    const orphanMs = 60_000;
    const sweep = { folder: "swept", ending: ".jsonl", orphanMs };
    const listNeeded = async (ids: string[]) => ids.filter((id) => id === "imp_1");
    // A store has seconds, and a clock of its own.
    await removeOrphans({ ...sweep, listNeeded, now: Date.now() });
    expect(await namesIn("swept")).toHaveLength(3);
    await removeOrphans({ ...sweep, listNeeded, now: Date.now() + orphanMs + 10_000 });
    expect(await namesIn("swept")).toEqual(["swept/imp_1.jsonl"]);
  });
});

describe("in an S3-compatible store", () => {
  beforeAll(() => choose({ ...store.settings, FUXI_S3_PUBLIC_URL: store.settings["FUXI_S3_URL"] }));
  afterEach(() => choose({ ...store.settings, FUXI_S3_PUBLIC_URL: store.settings["FUXI_S3_URL"] }));

  test("a signed address downloads one file for five minutes, and no other", async () => {
    await put("signed/one.zip", "archive");
    const address = await files().addressOf("signed/one.zip", "fuxi.zip");
    const answer = await fetch(String(address));
    expect([answer.status, await answer.text()]).toEqual([200, "archive"]);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="fuxi.zip"');
    const other = await fetch(String(address).replace("one.zip", "two.zip"));
    expect(other.status).toBe(403);
    await other.body?.cancel();
    const old = new Date(Date.now() - 301_000);
    const expired = await fetch(String(await files().addressOf("signed/one.zip", "fuxi.zip", old)));
    expect(expired.status).toBe(403);
    await expired.body?.cancel();
  });

  test("an unfinished upload of a process that died is removed by the sweep", async () => {
    const requests = new S3Requests(config());
    const begun = { method: "POST", name: "left/one.bin", query: { uploads: "" } } as const;
    await requests.send(begun);
    const uploads = async () => {
      const query = { uploads: "", prefix: "left/" };
      return (await requests.send({ method: "GET", name: "", query })).body.toString();
    };
    expect(await uploads()).toContain("<Upload>");
    await files().removeUnfinished("left", Date.now() - 60_000);
    expect(await uploads()).toContain("<Upload>");
    await files().removeUnfinished("left", Date.now() + 60_000);
    expect(await uploads()).not.toContain("<Upload>");
  });

  test.each([
    ["a wrong secret", { FUXI_S3_SECRET: "wrong" }],
    ["an unknown key", { FUXI_S3_KEY_ID: "test:nobody" }],
  ])("%s is a problem of the store, not a missing file", async (_, settings) => {
    choose({ ...store.settings, ...settings });
    await expect(files().open("signed/one.zip")).rejects.toThrow(FileStoreUnavailable);
    await expect(put("refused/one.bin", "x")).rejects.toThrow("The file store can’t be used");
    expect(await checkFiles()).toBe(false);
  });

  test("a missing bucket is a problem of the store, not a missing file", async () => {
    choose({ ...store.settings, FUXI_S3_URL: `${store.url}/none` });
    await expect(files().find("signed/one.zip")).rejects.toThrow(FileStoreUnavailable);
    await expect(put("refused/one.bin", large)).rejects.toThrow(FileStoreUnavailable);
  });

  test("a received file stays where it is while the store is down, and its upload can be repeated", async () => {
    const path = await files().scratch("later/one.bin");
    writeFileSync(path, "received");
    await store.kill();
    await expect(files().adopt(path, "later/one.bin")).rejects.toThrow(FileStoreUnavailable);
    expect(statSync(path).size).toBe(8);
    await store.start();
    await files().adopt(path, "later/one.bin");
    expect((await contentOf("later/one.bin")).toString()).toBe("received");
  });
});
