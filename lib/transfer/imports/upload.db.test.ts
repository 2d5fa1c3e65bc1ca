import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { config } from "#lib/platform/config";
import { AppError, presentError } from "#lib/platform/errors";
import { query, sql, transaction } from "#lib/platform/postgres";
import { firstRowsShown, headingCharsMax } from "#lib/platform/tables/schema";
import { lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { fetchApi } from "../../../app/api/index.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { fileOf } from "./file.ts";
import {
  changeImport,
  deleteImport,
  getImport,
  previewImport,
  startImport,
  uploadImport,
} from "./index.ts";
import { bytesMax, keptBytesMax, previewRows } from "./schema.ts";
import { receiveFile } from "./upload.ts";

openTestStores();

const text = "url\nhttps://example.com/\n";
const anywhere = {
  delimiter: undefined,
  declaredBytes: 0,
  assertRoom: async () => undefined,
  sender: { workspaceId: "ws_test" },
};
const mebibyte = 1_048_576;

let ada: WorkspaceScope;
const folder = () => join(config().FUXI_DATA_DIR, "imports");

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  mkdirSync(folder(), { recursive: true });
});

function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

function upload(content: string, scope = ada) {
  return uploadImport(scope, new Blob([content]).stream(), { name: "links.csv" });
}

function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) =>
      error instanceof AppError ? `${error.code}: ${error.message}` : String(error),
  );
}

/** The response of the endpoint to a body, with a header for its length. */
async function post(body: ReadableStream<Uint8Array>, declared?: number) {
  const { key } = await createApiKey(ada, { name: "Upload" });
  const init = {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "text/csv",
      ...(declared === undefined ? {} : { "Content-Length": `${declared}` }),
    },
    body,
    duplex: "half" as const,
  };
  const request = new Request("http://localhost:3000/api/imports", init);
  const response = await fetchApi(request, "203.0.113.7");
  return { status: response.status, text: await response.text() };
}

test("a form with the file is the same upload", async () => {
  const { key } = await createApiKey(ada, { name: "Form" });
  const form = new FormData();
  form.set("file", new File([text], "links.csv"));
  const request = new Request("http://localhost:3000/api/imports", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}` },
    body: form,
  });
  const response = await fetchApi(request, "203.0.113.7");
  expect([response.status, await response.json()]).toMatchObject([
    201,
    { name: "links.csv", bytes: text.length, state: "ready" },
  ]);
});

test("a file that declares 2 GiB is read, and one that declares a byte more is refused unread", async () => {
  expect(bytesMax).toBe(2_147_483_648);
  expect((await post(streamOf(Buffer.from(text)), bytesMax)).status).toBe(201);
  const pulled = vi.fn();
  // Without a buffered chunk, it is pulled only when it is read.
  const unread = new ReadableStream<Uint8Array>({ pull: pulled }, { highWaterMark: 0 });
  const refused = await post(unread, bytesMax + 1);
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining("A file can have up to 2048 MB. Split it into smaller files."),
  ]);
  expect(pulled).not.toHaveBeenCalled();
});

test("a file without a declared length ends at its first byte above 2 GiB", async () => {
  const before = readdirSync(folder());
  const start = Buffer.from(text.padEnd(300, "\n"));
  // The kernel allocates memory only for bytes that are written, and these are not.
  const rest = new Uint8Array(bytesMax + 1 - start.length);
  const refused = await post(streamOf(start, rest));
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("2048 MB")]);
  expect(readdirSync(folder())).toEqual(before);
});

test.runIf(process.env["TEST_LONG"])(
  "a file of 2 GiB is stored to its last byte",
  { timeout: 1_800_000 },
  async () => {
    const head = `https://example.com/,${`${"x".repeat(32_700)},`.repeat(8)}`;
    const line = Buffer.from(`${head.padEnd(mebibyte / 4 - 1, "y")}\n`);
    let bytes = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        bytes += line.length;
        controller.enqueue(line);
        if (bytes === bytesMax) controller.close();
      },
    });
    const { status, text: answer } = await post(body);
    expect([status, JSON.parse(answer)]).toMatchObject([201, { bytes: bytesMax, rows: 8_192 }]);
    await deleteImport(ada, JSON.parse(answer).id);
  },
);

test("the files of a workspace have 8 GiB together and not a byte more, whatever they declare", async () => {
  const keeper = await makeTestScope("keeper");
  const { id, bytes } = await upload(text, keeper);
  const keep = (kept: number) => query(sql`UPDATE import SET bytes = ${kept} WHERE id = ${id}`);
  await keep(keptBytesMax - bytes + 1);
  const before = readdirSync(folder());
  expect(await failureOf(upload(text, keeper))).toBe(
    "conflict: A workspace can keep up to 100 imports, with up to 8 GB of files. Delete an import and try again.",
  );
  expect(readdirSync(folder())).toEqual(before);
  await keep(keptBytesMax - bytes);
  const declared = (more: number) => {
    const stream = new Blob([text]).stream();
    return failureOf(uploadImport(keeper, stream, { name: "links.csv" }, { declaredBytes: more }));
  };
  expect(await declared(bytes + 1)).toMatch(/^conflict: .*8 GB/);
  expect(await declared(bytes)).toBe("ok");
});

test("of uploads at once that fit one by one and not together, one is kept", async () => {
  const keeper = await makeTestScope("hurried");
  const { id, bytes } = await upload(text, keeper);
  await query(sql`UPDATE import SET bytes = ${keptBytesMax - bytes} WHERE id = ${id}`);
  const waiting = await transaction(async (tx) => {
    await lockWorkspace(tx, keeper.workspacePk);
    const uploads = Array.from({ length: 3 }, () => failureOf(upload(text, keeper)));
    // All have been sent and wait before the decisive count.
    await expect.poll(() => countWaiting(), { timeout: 10_000 }).toBe(3);
    return uploads;
  });
  const outcomes = await Promise.all(waiting);
  expect(outcomes.map((outcome) => outcome.slice(0, 8)).toSorted()).toEqual([
    "conflict",
    "conflict",
    "ok",
  ]);
});

async function countWaiting(): Promise<number> {
  const waiting = await query(sql`
    SELECT
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND wait_event_type = 'Lock'`);
  return waiting.length;
}

test("a refused file has a code and the parameters of its message, beside the message", async () => {
  const refused = await post(streamOf(Buffer.from('url,title\nhttps://a.example/,"open\n')));
  expect([refused.status, JSON.parse(refused.text).error]).toEqual([
    422,
    {
      code: "unprocessable_entity",
      message: expect.stringMatching(/^A cell in line 2 starts with a quote .* never closed/),
      doc_url: expect.any(String),
      problem: { code: "quote_open", params: { line: 2 } },
    },
  ]);
});

test(`a heading has ${headingCharsMax} characters at most`, async () => {
  expect(headingCharsMax).toBe(500);
  const fileWith = (chars: number) => `url,${"x".repeat(chars)}\nhttps://example.com/,y\n`;
  const fits = await upload(fileWith(headingCharsMax));
  expect((await previewImport(ada, fits.id)).obstacle).toBeNull();
  expect(await failureOf(startImport(ada, fits.id))).toBe("ok");
  const { id } = await upload(fileWith(headingCharsMax + 1));
  const obstacle = /^The header of column 2 has more than 500 characters/;
  expect((await previewImport(ada, id)).obstacle).toMatch(obstacle);
  expect(await failureOf(startImport(ada, id))).toMatch(
    /^unprocessable_entity: The header of column 2/,
  );
  // As a row it is not unusual.
  await changeImport(ada, id, { options: { heading: false } });
  expect((await previewImport(ada, id)).obstacle).toBeNull();
});

test(`of a file ${firstRowsShown} rows are shown unchanged, and ${previewRows} tried`, async () => {
  expect([firstRowsShown, previewRows]).toEqual([5, 100]);
  const fileOfRows = (rows: number) =>
    `url\n${Array.from({ length: rows }, (_, row) => `https://example.com/${row}\n`).join("")}`;
  for (const rows of [firstRowsShown, firstRowsShown + 1, previewRows, previewRows + 1]) {
    const { id } = await upload(fileOfRows(rows));
    expect((await getImport(ada, id)).firstRows).toHaveLength(Math.min(rows, firstRowsShown));
    const preview = await previewImport(ada, id);
    expect(preview.rows).toHaveLength(Math.min(rows, previewRows));
  }
});

test.each(["raw", "part"])(
  "a disk that is full while imp_….%s is written is reported, and no file is left behind",
  async (kind) => {
    const before = readdirSync(folder());
    // The kernel refuses every byte for /dev/full as on a full disk, for any user.
    symlinkSync("/dev/full", `${join(config().FUXI_DATA_DIR, fileOf("imp_full"))}.${kind}`);
    const receiving = receiveFile("imp_full", new Blob([text]).stream(), anywhere);
    const failure = await receiving.catch((error: unknown) => error);
    expect(presentError(failure, "")).toMatchObject({
      status: 503,
      body: {
        error: {
          code: "service_unavailable",
          message: expect.stringMatching(/out of disk space.*Contact your administrator/),
        },
      },
    });
    expect(failure).toMatchObject({ retryAfterSeconds: 60 });
    expect(readdirSync(folder())).toEqual(before);
  },
);

test("a sender that sends nothing for 30 seconds is disconnected, and no file is left behind", async () => {
  const before = readdirSync(folder());
  const pieces = text.match(/.{1,4}/gs) ?? [];
  const cancelled = vi.fn();
  // Each part is pulled once the timer of its reader runs.
  const slow = new ReadableStream<Uint8Array>(
    {
      pull: (sender) => {
        const piece = pieces.shift();
        vi.advanceTimersByTime(piece === undefined ? 30_000 : 29_999);
        if (piece !== undefined) sender.enqueue(Buffer.from(piece));
      },
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  );
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    expect(await failureOf(receiveFile("imp_slow", slow, anywhere))).toBe(
      "bad_request: No data arrived for 30 seconds. Check your connection and upload the file again.",
    );
  } finally {
    vi.useRealTimers();
  }
  expect(pieces).toEqual([]);
  expect(cancelled).toHaveBeenCalledOnce();
  expect(readdirSync(folder())).toEqual(before);
});
