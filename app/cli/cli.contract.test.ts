/** The command-line program as people use it: installed from the instance by npm, in a real terminal. */
import { execFile, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn as openTerminal } from "@lydell/node-pty";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  address,
  apiKey,
  call,
  makeLink,
  origin,
  requestRaw,
  runSuffix,
} from "../../test/contract-server.ts";
import { completeInFish, completeInZsh, readManPage, shellsMs } from "../../test/shells.ts";
import { readQrCode } from "../../test/zbar.ts";

const folder = mkdtempSync(join(tmpdir(), "fuxi-cli-"));
const home = join(folder, "home");
const program = join(folder, "node_modules", ".bin", "fuxi");
const packageUrl = `${origin.origin}/cli.tgz`;
const domain = origin.hostname;
/** Jobs wait for the worker, which other tests keep busy too. */
const jobMs = 180_000;

const clean = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(FUXI_|XDG_|VITEST|NODE_|npm_|NO_COLOR|TEST_)/.test(name),
  ),
);
const unsigned = {
  ...clean,
  NODE_ENV: "production" as const,
  HOME: home,
  TERM: "xterm-256color",
  TZ: "UTC",
};
const env = { ...unsigned, FUXI_API_KEY: apiKey };

beforeAll(async () => {
  mkdirSync(home);
  writeFileSync(join(folder, "package.json"), "{}");
  await runFile("npm", ["install", "--no-audit", "--no-fund", packageUrl], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function runFile(file: string, args: string[], options: { cwd: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { ...options, env: unsigned }, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(stdout),
    );
  });
}

/** Runs the program as another program does: no terminal. */
function fuxi(
  args: string[],
  { input = "", variables = env as NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const child = spawn(program, args, { env: variables, cwd: folder });
  const ended = { code: -1, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (ended.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (ended.stderr += chunk.toString()));
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ ...ended, code: code ?? -1 }));
  });
}

interface Typed {
  /** Typed once this text is shown. */
  after: string;
  keys: string;
}

/** Runs a program in a terminal, and types into it. */
function inTerminal(
  args: string[],
  {
    columns = 100,
    typed = [] as Typed[],
    variables = env as NodeJS.ProcessEnv,
    file = program,
  } = {},
): Promise<{ code: number; shown: string }> {
  const terminal = openTerminal(file, args, {
    cols: columns,
    rows: 60,
    cwd: folder,
    env: variables,
  });
  const waiting = [...typed];
  let shown = "";
  return new Promise((resolve) => {
    terminal.onData((text) => {
      shown += text;
      const [next] = waiting;
      if (next && shown.includes(next.after)) {
        waiting.shift();
        terminal.write(next.keys);
      }
    });
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, shown }));
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal acts on
const escapes = /\u001b\[[0-9;?]*[A-Za-z]/g;
const linesOf = (shown: string) => shown.replace(escapes, "").split(/\r?\n/);

describe("the package", () => {
  test("is the same for everyone, is revalidated, and knows its instance", async () => {
    const [first, second] = await Promise.all([fetch(packageUrl), fetch(packageUrl)]);
    const bytes = Buffer.from(await first.arrayBuffer());
    expect(bytes.equals(Buffer.from(await second.arrayBuffer()))).toBe(true);
    expect(first.headers.get("cache-control")).toBe("public, no-cache");
    const etag = first.headers.get("etag") ?? "";
    const again = await fetch(packageUrl, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const manifest = JSON.parse(
      readFileSync(join(folder, "node_modules", "fuxi-cli", "package.json"), "utf8"),
    );
    expect(manifest.config).toEqual({ server: origin.origin });
    expect(manifest.dependencies).toBeUndefined();
  });

  test("runs with npx from an empty folder", async () => {
    const empty = mkdtempSync(join(tmpdir(), "fuxi-npx-"));
    const url = address("npx");
    const npx = (...args: string[]) =>
      runFile("npx", ["--yes", packageUrl, ...args, "--key", apiKey, "--domain", domain], {
        cwd: empty,
      });
    expect((await npx("shorten", url)).trim()).toMatch(new RegExp(`^http://${domain}[:/]`));
    expect(readdirSync(empty)).toEqual([]);
    rmSync(empty, { recursive: true });
  });

  test("has a program with help for each command", async () => {
    const { stdout, code } = await fuxi(["--help"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Exit codes:[\s\S]*5 {2}Some links/)]);
    for (const name of [
      "login",
      "shorten",
      "list",
      "stats",
      "import",
      "qr",
      "campaign",
      "delete",
      "mcp",
    ]) {
      expect(stdout).toContain(`  ${name}`);
      expect((await fuxi([name, "--help"])).stdout).toMatch(/Usage: fuxi [\s\S]*--json/);
    }
  });

  test("has a manual with every command and option, also for man", {
    timeout: shellsMs,
  }, async () => {
    const { stdout, code } = await fuxi(["manual"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^NAME\n {4}fuxi - [\s\S]*\nEXIT STATUS\n/);
    const { stdout: completed } = await fuxi(["complete", "--", "campaign", "create", "--"]);
    const options = completed.trim().split("\n");
    expect(options.length).toBeGreaterThan(10);
    for (const option of options) expect(stdout).toContain(option);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const shown = await readManPage(join(folder, "node_modules", "fuxi-cli", "fuxi.1"));
    for (const part of ["EXIT STATUS", "fuxi campaign create", ...options]) {
      expect(shown).toContain(part);
    }
  });

  test("no link can have its path", async () => {
    const taken = await fuxi(["shorten", address("own"), "--domain", domain, "--slug", "cli.tgz"]);
    expect(taken.code).toBe(1);
  });
});

describe("signing in", () => {
  test("in a terminal, the key is not shown, is kept for its owner only, and is used from then on", async () => {
    const typed = [{ after: "not shown): ", keys: `${apiKey}x\u007f\r` }];
    const { code, shown } = await inTerminal(["login"], { typed, variables: unsigned });
    expect([code, shown]).toEqual([0, expect.stringContaining(`Signed in to ${origin.origin}`)]);
    expect(shown).not.toContain(apiKey);
    const file = join(home, ".config", "fuxi", "config.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await fuxi(["list", "--limit", "1"], { variables: unsigned })).code).toBe(0);

    const out = await fuxi(["logout"], { variables: unsigned });
    expect([out.code, readFileSync(file, "utf8").includes(apiKey)]).toEqual([0, false]);
    const after = await fuxi(["list"], { variables: unsigned });
    expect([after.code, after.stderr]).toEqual([3, expect.stringContaining("fuxi login")]);
  });

  test("from another program, and a wrong key is refused and not kept", async () => {
    const own = { ...unsigned, XDG_CONFIG_HOME: join(folder, "piped") };
    const file = join(folder, "piped", "fuxi", "config.json");
    const wrong = await fuxi(["login"], { input: "fuxi_wrong\n", variables: own });
    expect([wrong.code, existsSync(file)]).toEqual([3, false]);
    const right = await fuxi(["login", "--json"], { input: `${apiKey}\n`, variables: own });
    expect(right.code).toBe(0);
    expect(JSON.parse(right.stdout)).toMatchObject({ server: origin.origin });
    expect(right.stdout).not.toContain(apiKey);
  });

  test("the key of one server is never sent to another, nor along a redirect, and calls state their application", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const other = createServer((req, res) => {
      seen.push(req.headers);
      res.writeHead(302, { Location: `${origin.origin}/api/me` }).end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const port = Object(other.address()).port;
    const own = { ...unsigned, XDG_CONFIG_HOME: join(folder, "two") };
    await fuxi(["login"], { input: apiKey, variables: own });
    const server = `http://127.0.0.1:${port}`;
    const unknown = await fuxi(["list", "--server", server], { variables: own });
    expect([unknown.code, seen]).toEqual([3, []]);
    const led = await fuxi(["list", "--server", server, "--key", "fuxi_other"], { variables: own });
    expect([led.code, led.stdout]).toEqual([4, ""]);
    expect(seen[0]?.authorization).toBe("Bearer fuxi_other");
    expect(seen[0]?.["x-fuxi-app"]).toMatch(/^fuxi-cli\/\d+\.\d+\.\d+$/);
    other.close();
  });
});

describe("links", () => {
  test("one URL gives one line, and its link has the given fields", async () => {
    const slug = `cli-${runSuffix}`;
    for (const name of [slug, `other-${slug}`]) await call("POST", "/tags", { name });
    const { code, stdout } = await fuxi([
      ...["shorten", address("one"), "--domain", domain, "--slug", slug, "--title", "From here"],
      ...["--tag", slug, "--tag", `other-${slug}`, "--expires", "30d", "--max-clicks", "9"],
    ]);
    expect([code, stdout]).toEqual([0, `${origin.origin}/${slug}\n`]);
    const listed = await fuxi(["list", slug, "--json", "--tag", slug]);
    const [link] = JSON.parse(listed.stdout);
    expect(link).toMatchObject({ key: slug, title: "From here", maxClicks: 9 });
    expect(link.tags).toHaveLength(2);
    expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  });

  test("many URLs from stdin give lines in their order; a refused one is named and ends with 5", async () => {
    const urls = ["a", "b", "c"].map((name) => address(`many-${name}`));
    const all = await fuxi(["shorten", "--domain", domain], { input: `${urls.join("\r\n")}\n\n` });
    expect(all.code).toBe(0);
    const lines = all.stdout.trim().split("\n");
    const found = await Promise.all(
      lines.map(async (line) => (await requestRaw(new URL(line).pathname)).headers["location"]),
    );
    expect(found).toEqual(urls);
    const some = await fuxi(["shorten", urls[0] ?? "", "javascript:alert(1)", "--json"]);
    expect([some.code, JSON.parse(some.stdout)]).toEqual([5, expect.any(Array)]);
    expect(some.stderr).toContain("javascript:alert(1)");
  });

  test("the list fits a narrow terminal, and is tabs for programs", async () => {
    const link = await makeLink({ url: address(`list-${"x".repeat(200)}`), domain });
    const { shown, code } = await inTerminal(["list", link.key], { columns: 60 });
    expect(code).toBe(0);
    const lines = linesOf(shown);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(lines.join("\n")).toContain(link.shortLink);
    expect(lines.join("\n")).toContain("1–1 of 1 links.");
    expect(shown).toMatch(escapes);
    const quiet = await inTerminal(["list", link.key, "--no-color"], { columns: 60 });
    expect(quiet.shown).not.toMatch(escapes);
    const piped = await fuxi(["list", link.key]);
    expect(piped.stdout.split("\t")).toEqual([
      link.shortLink,
      "0",
      expect.any(String),
      `${link["url"]}\n`,
    ]);
  });

  test("deleting asks in a terminal, and needs --yes elsewhere", async () => {
    const link = await makeLink({ url: address("delete"), domain });
    const no = await inTerminal(["delete", link.key], {
      typed: [{ after: "[y/N] ", keys: "n\r" }],
    });
    expect([no.code, no.shown]).toEqual([2, expect.stringContaining("Nothing was deleted")]);
    expect((await fuxi(["delete", link.shortLink])).code).toBe(2);
    const yes = await inTerminal(["delete", link.id], {
      typed: [{ after: "[y/N] ", keys: "y\r" }],
    });
    expect([yes.code, (await fuxi(["delete", link.id, "--yes"])).code]).toEqual([0, 1]);
  });
});

test("clicks are drawn as a chart, and are the same for programs", async () => {
  const link = await makeLink({ url: address("stats"), domain });
  for (let at = 0; at < 3; at++) {
    await requestRaw(`/${link.key}`, {
      headers: [
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      ],
    });
  }
  await expect
    .poll(
      async () =>
        Object(JSON.parse((await fuxi(["stats", link.id, "--json"])).stdout)).count?.clicks,
    )
    .toBe(3);
  const { code, shown } = await inTerminal(["stats", link.shortLink, "--interval", "7d"]);
  const text = linesOf(shown).join("\n");
  expect([code, text]).toEqual([0, expect.stringContaining("3 clicks, ")]);
  expect(text).toMatch(/3 .*█/);
  expect(text).toMatch(/Devices\nDesktop +3 +█+/);
});

describe("imports", () => {
  const file = join(folder, "links.csv");
  const slug = `imp-${runSuffix}`;
  beforeAll(() => {
    writeFileSync(
      file,
      `url,slug\n${address("i1")},${slug}-1\nnot a url,${slug}-2\n${address("i3")},${slug}-3\n`,
    );
  });

  test("a dry run names the rows that would be refused, and creates nothing", async () => {
    const { code, stdout } = await fuxi(["import", file, "--domain", domain, "--dry-run"]);
    expect([code, stdout]).toEqual([5, expect.stringMatching(/2 of 3 rows[\s\S]*Line 3: /)]);
    expect((await fuxi(["list", slug])).stdout).toBe("");
    const imports = await fetch(`${origin.origin}/api/imports`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    expect(JSON.stringify(await imports.json())).not.toContain("links.csv");
  });

  test("an import ends with its result, and saves it", { timeout: jobMs }, async () => {
    const results = join(folder, "results.csv");
    const args = ["import", file, "--domain", domain, "--results", results];
    const { code, shown } = await inTerminal(args);
    expect(code).toBe(5);
    expect(shown).toContain("2 links created, 1 rows refused.");
    expect(shown).toContain("Line 3: ");
    expect(readFileSync(results, "utf8")).toContain(`${slug}-3`);
    expect((await fuxi(["list", slug])).stdout.trim().split("\n")).toHaveLength(2);
  });

  test("columns are mapped by their headings, --domain wins, and a log gets progress", async () => {
    const other = join(folder, "other.csv");
    const own = `own-${slug}`;
    writeFileSync(other, `long_url,host,name\n${address("o1")},go.other.example,${own}\n`);
    const map = ["--map", "url=LONG_URL", "--map", "domain=host", "--map", "key=name"];
    const { code, stdout, stderr } = await fuxi(["import", other, ...map, "--domain", domain]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 links created, 0 rows")]);
    expect(stderr).toContain("1 of 1 rows (100%)\n");
    expect((await fuxi(["list", own])).stdout).toContain(`${origin.host}/${own}`);
    for (const [pair, words] of [
      ["url=missing", "Columns: long_url, host, name"],
      ["adress=host", "Fields: url, key"],
    ] as const) {
      const refused = await fuxi(["import", other, "--map", pair]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  test("a terminal asks for the columns that have no field", { timeout: jobMs }, async () => {
    const other = join(folder, "asked.csv");
    writeFileSync(other, `where_to,notes\n${address("a1")},${slug}-asked\n`);
    const typed = [
      { after: "url is required: ", keys: "url=where_to\r" },
      { after: "Enter to go on: ", keys: "key=notes\r" },
      { after: "notes → key", keys: "\r" },
    ];
    const { code, shown } = await inTerminal(["import", other, "--domain", domain], { typed });
    expect([code, shown]).toEqual([0, expect.stringContaining("1 links created")]);
  });

  test("a file that can’t be read is a wrong use, and an unreadable one is refused", async () => {
    expect((await fuxi(["import", join(folder, "missing.csv")])).code).toBe(2);
    const empty = join(folder, "empty.csv");
    writeFileSync(empty, "");
    const { code, stderr } = await fuxi(["import", empty, "--json"]);
    expect(code).toBe(1);
    expect(Object(JSON.parse(stderr)).error.message).toMatch(/\w/);
  });
});

const halves: Record<string, readonly [boolean, boolean]> = {
  "█": [true, true],
  "▀": [true, false],
  "▄": [false, true],
};

/** Half blocks as pixels, each as large as a reader needs. */
async function photograph(lines: string[], ink: "dark" | "light", name: string): Promise<string> {
  const [on, off] = ink === "dark" ? [0, 255] : [255, 0];
  const rows = lines.flatMap((line) =>
    [0, 1].map((half) => [...line].map((char) => (halves[char]?.[half] ? on : off))),
  );
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const path = join(folder, name);
  await sharp(Buffer.from(rows.flat()), { raw: { width, height, channels: 1 } })
    .resize(width * 6, height * 6, { kernel: "nearest" })
    .png()
    .toFile(path);
  return path;
}

describe("QR codes", () => {
  test("drawn in a terminal, with and without colors, are read by an independent reader", async () => {
    const link = await makeLink({ url: address("qr"), domain });
    const isCode = (line: string) => /^[█▀▄ ]{20,}$/.test(line);
    const colored = await inTerminal(["qr", link.shortLink]);
    const black = linesOf(colored.shown).filter(isCode);
    expect(await readQrCode(await photograph(black, "dark", "black.png"))).toBe(
      `${link.shortLink}?qr=1`,
    );
    const uncolored = await fuxi(["qr", link.id]);
    const white = uncolored.stdout.split("\n").filter(isCode);
    expect(await readQrCode(await photograph(white, "light", "white.png"))).toBe(
      `${link.shortLink}?qr=1`,
    );
  });

  test("saved as files are those of the link", async () => {
    const link = await makeLink({ url: address("qr-file"), domain });
    const [png, svg] = [join(folder, "code.png"), join(folder, "code.svg")];
    const { code } = await fuxi(["qr", link.id, "--png", png, "--svg", svg, "--size", "400"]);
    expect([code, await readQrCode(png)]).toEqual([0, `${link.shortLink}?qr=1`]);
    expect((await sharp(png).metadata()).width).toBe(400);
    expect(readFileSync(svg, "utf8")).toMatch(/^<svg/);
    const missing = await fuxi(["qr", "link_missing"]);
    expect([missing.code, missing.stdout]).toEqual([1, ""]);
  });
});

test("a campaign is created from a file, and its messages are exported", {
  timeout: jobMs,
}, async () => {
  const file = join(folder, "people.csv");
  writeFileSync(file, "phone,name\n+14155550101,Ada\n+14155550102,Alan\n123,Nobody\n");
  const created = await fuxi([
    ...["campaign", "create", file, "--name", `CLI ${runSuffix}`, "--country", "US"],
    ...["--message", "Hi {name}: {link}", "--destination", address("campaign"), "--domain", domain],
  ]);
  expect([created.code, created.stderr]).toEqual([
    5,
    expect.stringContaining("2 recipients added, 1 rows refused."),
  ]);
  const id = created.stdout.trim();
  expect((await fuxi(["campaign", "list"])).stdout).toContain(id);
  const status = await fuxi(["campaign", "status", id, "--json"]);
  expect(JSON.parse(status.stdout)).toMatchObject({ recipients: 2 });
  const messages = await fuxi(["campaign", "export", id]);
  expect(messages.stdout).toMatch(/Hi Ada: [\s\S]*Hi Alan: /);
  expect((await fuxi(["campaign", "export", id, "--format", "xlsx"])).code).toBe(2);
});

describe("mcp", () => {
  test("an assistant starts it with the login, and its calls are those of the key", async () => {
    const own = { ...unsigned, XDG_CONFIG_HOME: join(folder, "assistant") };
    expect((await fuxi(["login"], { input: apiKey, variables: own })).code).toBe(0);
    const client = new Client({ name: "test", version: "1.0.0" });
    const strings = Object.entries(own).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
    const started = { command: program, args: ["mcp"], env: Object.fromEntries(strings) };
    await client.connect(new StdioClientTransport(started));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("create_link");
    const made = await client.callTool({
      name: "create_link",
      arguments: { url: address("assistant"), domain },
    });
    const { link } = Object(made.structuredContent);
    await client.close();
    const { headers } = await requestRaw(new URL(link.shortLink).pathname);
    expect(headers["location"]).toBe(address("assistant"));
  });

  test("without a login it ends with 3, and says on stderr what to do", async () => {
    const own = { ...unsigned, XDG_CONFIG_HOME: join(folder, "nobody") };
    const { code, stdout, stderr } = await fuxi(["mcp"], { variables: own });
    expect([code, stdout, stderr]).toEqual([3, "", expect.stringContaining("fuxi login")]);
  });
});

describe("exit codes", () => {
  test("2 for a wrong use, with what to write instead", async () => {
    const typo = await fuxi(["shortn", "https://example.com"]);
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining("shorten")]);
    expect((await fuxi([])).code).toBe(2);
    expect((await fuxi(["list", "--limit", "100"])).code).toBe(0);
    expect((await fuxi(["list", "--limit", "101"])).code).toBe(2);
  });

  test("1 for a refusal, with the message of the API, also as JSON", async () => {
    const link = await makeLink({ url: address("taken"), domain });
    const args = ["shorten", address("again"), "--domain", domain, "--slug", link.key];
    const { code, stdout, stderr } = await fuxi([...args, "--json"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "conflict" });
  });

  test("4 for a server that is not there, or is not Fuxi", async () => {
    const away = await fuxi(["list", "--server", "http://127.0.0.1:9"]);
    expect([away.code, away.stderr]).toEqual([
      4,
      expect.stringContaining("Can’t reach the server"),
    ]);
  });
});

test("bash completes commands, options and values", async () => {
  const complete = async (...words: string[]) => {
    const script = [
      "source <(fuxi completion bash)",
      `COMP_WORDS=(fuxi ${words.map((word) => `'${word}'`).join(" ")})`,
      `COMP_CWORD=${words.length}`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash
      '_fuxi; printf "%s\\n" "${COMPREPLY[@]}"',
    ].join("\n");
    const path = `${join(folder, "node_modules", ".bin")}:${process.env["PATH"]}`;
    const { stdout } = await new Promise<Ended>((resolve) => {
      execFile("bash", ["-c", script], { env: { ...unsigned, PATH: path } }, (_, out, err) =>
        resolve({ code: 0, stdout: out, stderr: err }),
      );
    });
    return stdout.trim().split("\n");
  };
  expect(await complete("s")).toEqual(["shorten", "stats"]);
  expect(await complete("campaign", "")).toEqual(["list", "create", "status", "export"]);
  expect(await complete("list", "--so")).toEqual(["--sort"]);
  expect(await complete("stats", "--interval", "9")).toEqual(["90d"]);
  expect(await complete("completion", "")).toEqual(["bash", "zsh", "fish"]);
});

const placeOf = async (shell: "zsh" | "fish") => ({
  bin: join(folder, "node_modules", ".bin"),
  script: (await fuxi(["completion", shell])).stdout,
  env: unsigned,
});

test("fish completes commands, options and values", { timeout: shellsMs }, async () => {
  const place = await placeOf("fish");
  expect(await completeInFish(place, "fuxi s")).toEqual(["shorten", "stats"]);
  expect(await completeInFish(place, "fuxi campaign ex")).toEqual(["export"]);
  expect(await completeInFish(place, "fuxi list --so")).toEqual(["--sort"]);
  expect(await completeInFish(place, "fuxi stats --interval 9")).toEqual(["90d"]);
});

test("zsh completes what is typed in a terminal", { timeout: shellsMs }, async () => {
  const place = await placeOf("zsh");
  expect(await completeInZsh(place, "fuxi sho")).toBe("fuxi shorten");
  expect(await completeInZsh(place, "fuxi campaign ex")).toBe("fuxi campaign export");
  expect(await completeInZsh(place, "fuxi stats --interval 9")).toBe("fuxi stats --interval 90d");
});
