/** Templates, logos and codes over HTTP: responses and errors. */
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { logoBytesMax } from "#lib/platform/images";
import { type Caller, keyCaller } from "../../test/api-callers.ts";
import { makeSubjects, onePixel, type TestSubjects } from "../../test/api-subjects.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { fetchApi } from "./index.ts";

openTestStores();

let ask: Caller;
let subjects: TestSubjects;
let authorization: string;

beforeAll(async () => {
  const ada = await makeTestScope("ada");
  await openLinks();
  subjects = await makeSubjects(ada);
  ask = await keyCaller(ada);
  authorization = `Bearer ${(await createApiKey(ada, { name: "Raw" })).key}`;
});

async function get(path: string): Promise<Response> {
  const request = new Request(`http://localhost:3000/api${path}`, {
    headers: { Authorization: authorization },
  });
  return await fetchApi(request, "203.0.113.9");
}

const upload = (bytes: Buffer) =>
  ask({ method: "POST", path: "/api/qr-logos", body: { image: bytes.toString("base64") } });

test("a logo is answered as a PNG that only its reader may cache, without expiry", async () => {
  const response = await get(`/qr-logos/${subjects.qrLogo}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  const { format, width } = await sharp(await response.arrayBuffer()).metadata();
  expect([format, width]).toEqual(["png", 8]);
});

test("an SVG is answered with a policy under which it can run nothing", async () => {
  const response = await get(`/links/${subjects.link}/qr?format=svg&template=default`);
  expect(response.headers.get("content-type")).toBe("image/svg+xml");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
});

describe("an upload", () => {
  const padded = (bytes: number) => Buffer.concat([Buffer.from(onePixel, "base64")], bytes);

  test("of max bytes is stored, and of one more is a 422", async () => {
    expect((await upload(padded(logoBytesMax))).status).toBe(201);
    const refused = await upload(padded(logoBytesMax + 1));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("up to 512 KB");
  });

  test.each([
    "",
    "not base64!",
    Buffer.from("<svg><image/></svg>").toString("base64"),
    Buffer.from("GIF89a").toString("base64"),
    "A".repeat(1_000_001),
    3,
    null,
    ["x"],
    {},
  ])("of %j is a 422", async (image) => {
    const { status } = await ask({ method: "POST", path: "/api/qr-logos", body: { image } });
    expect(status).toBe(422);
  });
});

describe("a picture", () => {
  const draw = (body: object) =>
    ask({ method: "POST", path: `/api/links/${subjects.link}/qr`, body });

  test.each([128, 4_096])("is %d pixels wide when requested", async (size) => {
    const response = await get(`/links/${subjects.link}/qr?size=${size}`);
    expect((await sharp(await response.arrayBuffer()).metadata()).width).toBe(size);
  });

  test.each([
    [{ size: 127 }, "size"],
    [{ size: 4_097 }, "size"],
    [{ size: "512" }, "size"],
    [{ format: "gif" }, "format"],
    [{ design: { margin: 1 } }, "margin"],
    [{ design: { foreground: "#fff" } }, "too little contrast with the background"],
    [{ design: { caption: "x".repeat(41) } }, "caption"],
    [{ design: { nonsense: 1 } }, "nonsense"],
    [{ size: 128, design: { margin: 16 } }, "size"],
    [{ nonsense: 1 }, "nonsense"],
  ])("with %j is a 422 that names the correction", async (body, words) => {
    const { status, text } = await draw(body);
    expect(status).toBe(422);
    expect(text).toContain(words);
  });

  test("with a logo that does not exist is a 404", async () => {
    for (const logoId of ["", "qrl_1", `qrl_${"0".repeat(26)}`, "../x"]) {
      expect((await draw({ design: { logoId } })).status).toBe(404);
    }
  });
});
