/**
 * A real S3-compatible store for tests: OpenStack Swift from Debian's packages, unpacked next to the checkout. It checks
 * signatures, ranges and parts as its production installations do.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { AwsClient } from "aws4fetch";
import { peekUnpacked, unpackDebianPackages } from "../scripts/debian.ts";
import { findFreePorts } from "../scripts/ports.ts";
import { endChild } from "../scripts/processes.ts";
import { debianPython } from "./debian-python.ts";

const packages = ["python3-swift", "swift", "python3-pastedeploy", "python3-pastedeploy-tpl"];
const region = "us-east-1";
const keyId = "test:fuxi";
const secret = "test-secret";

export interface ObjectStore {
  url: string;
  /** The settings of a Fuxi that uses its bucket. */
  settings: Record<string, string>;
  /** As a power cut. */
  kill: () => Promise<void>;
  /** With the files that it had. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startObjectStore(bucket = "fuxi-files"): Promise<ObjectStore> {
  const unpacked =
    peekUnpacked("swift") ?? (await unpackDebianPackages("swift", packages, console.log));
  const folder = mkdtempSync(join(tmpdir(), "fuxi-swift-"));
  const python = debianPython(unpacked);
  const ports = await findFreePorts(4);
  const url = `http://127.0.0.1:${ports[0]}`;
  let child: ChildProcess | undefined;
  const start = async () => {
    const args = [folder, ...ports.map(String), keyId, secret];
    child = spawn(python.program, [resolve("test/object-store.py"), ...args], {
      env: python.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    await untilReady(child);
  };
  const kill = async () => {
    if (child) await endChild(child, "SIGKILL");
  };
  await start();
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    region,
    service: "s3",
  });
  const made = await client.fetch(`${url}/${bucket}`, { method: "PUT" });
  if (!made.ok) throw new Error(`The bucket could not be made: ${await made.text()}`);
  return {
    url,
    settings: {
      FUXI_S3_URL: `${url}/${bucket}`,
      FUXI_S3_REGION: region,
      FUXI_S3_KEY_ID: keyId,
      FUXI_S3_SECRET: secret,
    },
    kill,
    start,
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => {
    errors += text;
  });
  return new Promise((done, fail) => {
    child.stdout?.once("data", () => done());
    child.once("exit", () => fail(new Error(`Swift ended: ${errors}`)));
  });
}
