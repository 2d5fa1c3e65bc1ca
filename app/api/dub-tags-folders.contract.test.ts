/** Tags and folders through Dub's SDK and by raw HTTP, one block per status. */
import { randomBytes } from "node:crypto";
import { Dub } from "dub";
import * as errors from "dub/models/errors";
import { describe, expect, test } from "vitest";
import { apiKey, apiUrl, call, origin } from "../../test/contract-server.ts";
import { openApi, send } from "../../test/http-client.ts";

const dub = new Dub({ token: apiKey, serverURL: apiUrl });

/** The workspace is shared with other tests. */
function fresh(name: string): string {
  return `${name} ${randomBytes(4).toString("hex")}`;
}

describe("the SDK", () => {
  test("makes, lists, changes and deletes a tag", async () => {
    const name = fresh("SDK");
    const tag = await dub.tags.create({ name, color: "blue" });
    expect(tag).toEqual({ id: expect.stringMatching(/^tag_/), name, color: "blue" });
    const other = await dub.tags.create({ tag: fresh("Older word") });
    expect(await dub.tags.list({ search: name })).toEqual([tag]);
    const ids = [tag.id, other.id];
    expect(await dub.tags.list({ ids, sortBy: "createdAt", page: 1 })).toEqual([tag, other]);
    expect(await dub.tags.list({ ids, sortBy: "createdAt", page: 3 })).toEqual([]);
    expect(await dub.tags.update(tag.id, { color: "pink" })).toEqual({ ...tag, color: "pink" });
    expect(await dub.tags.delete(tag.id)).toEqual({ id: tag.id });
    await expect(dub.tags.delete(tag.id)).rejects.toBeInstanceOf(errors.NotFound);
    await dub.tags.delete(other.id);
  });

  test("makes, lists, changes and deletes a folder", async () => {
    const name = fresh("SDK");
    const folder = await dub.folders.create({ name, accessLevel: "read" });
    expect(folder).toMatchObject({ name, type: "default", accessLevel: "read", description: null });
    expect(await dub.folders.list({ search: name, page: 1, pageSize: 10 })).toEqual([folder]);
    const closed = await dub.folders.update(folder.id, { accessLevel: null, description: "d" });
    expect(closed).toMatchObject({ accessLevel: null, description: "d" });
    expect(await dub.folders.delete(folder.id)).toEqual({ id: folder.id });
    await expect(dub.folders.delete(folder.id)).rejects.toBeInstanceOf(errors.NotFound);
  });

  test("gets each error as the error class of the SDK", async () => {
    const name = fresh("Twice");
    const { id } = await dub.tags.create({ name });
    await expect(dub.tags.create({ name })).rejects.toBeInstanceOf(errors.Conflict);
    await expect(dub.tags.create({})).rejects.toBeInstanceOf(errors.UnprocessableEntity);
    await dub.tags.delete(id);
    const stranger = new Dub({ token: "unknown", serverURL: apiUrl });
    await expect(stranger.tags.list()).rejects.toBeInstanceOf(errors.Unauthorized);
  });
});

describe("201", () => {
  test("a created object has exactly the keys of the contract", async () => {
    const tag = await call("POST", "/tags", { name: fresh("Keys") });
    expect(tag.status).toBe(201);
    expect(Object.keys(tag.body).sort()).toEqual(["color", "id", "name"]);
    const folder = await call("POST", "/folders", { name: fresh("Keys") });
    expect(folder.status).toBe(201);
    expect(folder.body).toMatchObject({ accessLevel: "write", type: "default", description: null });
    const keys = ["accessLevel", "createdAt", "description", "id", "name", "type", "updatedAt"];
    expect(Object.keys(folder.body).sort()).toEqual(keys);
    expect(folder.body["createdAt"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("a field that a newer SDK sends is ignored and named", async () => {
    const tag = await call("POST", "/tags", { name: fresh("Newer"), shade: 3 });
    expect([tag.status, tag.headers["x-fuxi-ignored"]]).toEqual([201, "shade"]);
    const folder = await call("POST", "/folders", { name: fresh("Newer"), icon: "x" });
    expect([folder.status, folder.headers["x-fuxi-ignored"]]).toEqual([201, "icon"]);
  });
});

describe("400", () => {
  test.each(["/tags", "/folders"])("a body that is not JSON is refused by %s", async (path) => {
    const response = await send(`${apiUrl}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: "{",
    });
    expect(response.status).toBe(400);
  });
});

describe("401", () => {
  test.each([
    ["GET", "/tags"],
    ["POST", "/tags"],
    ["PATCH", "/tags/tag_1"],
    ["DELETE", "/tags/tag_1"],
    ["GET", "/folders"],
    ["POST", "/folders"],
    ["PATCH", "/folders/fold_1"],
    ["DELETE", "/folders/fold_1"],
  ])("%s %s without a key", async (method, path) => {
    const answer = await openApi(origin)(method, path, method === "GET" ? undefined : {});
    expect([answer.status, answer.body.error?.code]).toEqual([401, "unauthorized"]);
  });
});

describe("404", () => {
  test.each(["/tags/tag_1", "/tags/fold_01KAYV5M3EJ2Q4R8ZC7D0N6XWB", "/folders/fold_1"])(
    "an unknown id is named: %s",
    async (path) => {
      for (const [method, body] of [["PATCH", {}] as const, ["DELETE", undefined] as const]) {
        const answer = await call(method, path, body);
        expect([answer.status, answer.body.error?.code]).toEqual([404, "not_found"]);
        expect(answer.body.error?.message).toContain(path.split("/")[2]);
      }
    },
  );
});

describe("409", () => {
  test("a name that is taken, in whatever case", async () => {
    for (const path of ["/tags", "/folders"]) {
      const name = fresh("Taken");
      expect((await call("POST", path, { name })).status).toBe(201);
      const again = await call("POST", path, { name: name.toUpperCase() });
      expect([again.status, again.body.error?.code]).toEqual([409, "conflict"]);
      const other = await call("POST", path, { name: fresh("Free") });
      const renamed = await call("PATCH", `${path}/${other.body["id"]}`, { name });
      expect(renamed.status).toBe(409);
    }
  });
});

describe("422", () => {
  test.each([
    ["/tags", {}, "name"],
    ["/tags", { name: "x".repeat(51) }, "name"],
    ["/tags", { name: 3 }, "name"],
    ["/tags", { name: ["x"] }, "name"],
    ["/tags", { name: "a,b" }, "name"],
    ["/tags", { name: "a\u0000b" }, "name"],
    ["/tags", { name: "x", color: "#fff" }, "color"],
    ["/folders", {}, "name"],
    ["/folders", { name: " " }, "name"],
    ["/folders", { name: "x".repeat(191) }, "name"],
    ["/folders", { name: "x", accessLevel: "admin" }, "accessLevel"],
    ["/folders", { name: "x", description: "x".repeat(501) }, "description"],
  ])("POST %s %j names the field", async (path, body, field) => {
    const answer = await call("POST", path, body);
    expect([answer.status, answer.body.error?.code]).toEqual([422, "unprocessable_entity"]);
    expect(answer.body.error?.message).toContain(field);
  });

  test.each(["/tags?page=0", "/tags?pageSize=101", "/tags?sortBy=color", "/folders?pageSize=x"])(
    "GET %s",
    async (path) => {
      expect((await call("GET", path)).status).toBe(422);
    },
  );
});
