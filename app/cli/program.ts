import { Argument, Command, Option } from "commander";
import { collect, examples, pageSizeMax, sessionOf, wholeNumber } from "./arguments.ts";
import { addCampaigns } from "./campaign-program.ts";
import { complete, completionScript, type Shell, shells } from "./commands/completion.ts";
import { deleteLink } from "./commands/delete.ts";
import { importFile } from "./commands/import.ts";
import { list } from "./commands/list.ts";
import { login, logout } from "./commands/login.ts";
import { serveMcp } from "./commands/mcp.ts";
import { qr } from "./commands/qr.ts";
import { shorten } from "./commands/shorten.ts";
import { intervals, stats } from "./commands/stats.ts";
import { type Exit, exitCodes, exitTexts } from "./failures.ts";
import { manualOf, manualPage, manualText } from "./manual.ts";
import type { Place } from "./session.ts";
import { columnsOf } from "./terminal.ts";

const pageMax = 1_000;
const clicksMax = 2_147_483_647;

export function buildProgram(place: Place): Command {
  const { terminal, origin } = place;
  const program = new Command("fuxi")
    .description("Create, find and measure short links.")
    .version(origin.version)
    .option(
      "--server <address>",
      "the URL of your Fuxi instance; defaults to FUXI_URL, then to the last login",
    )
    .option("--key <key>", "an API key; defaults to FUXI_API_KEY, then to that of the last login")
    .option("--json", "write results as JSON, for programs")
    .option("--no-color", "no colors, like NO_COLOR")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText("after", generalHelp(origin.server));
  addAccount(program, place);
  addLinks(program, place);
  addViews(program, place);
  addFiles(program, place);
  addCampaigns(program, place);
  addAssistants(program, place);
  addManual(program, place);
  addCompletion(program, place);
  return program;
}

function generalHelp(server: string | undefined): string {
  const names: Exit[] = ["ok", "refused", "usage", "signedOut", "unreachable", "partial"];
  const exits = names.map((name) => `  ${exitCodes[name]}  ${exitTexts[name]}`);
  return [
    "",
    "Identify a link by its short link (go.example.com/sale), its id or its slug.",
    "Results are written to stdout, and messages to stderr.",
    "",
    "Exit codes:",
    ...exits,
    examples(...generalExamples(server)),
  ].join("\n");
}

function generalExamples(server = "https://links.example.com"): string[] {
  return [
    `fuxi login ${server}`,
    "fuxi shorten https://example.com/sale --slug sale",
    "fuxi stats go.example.com/sale --interval 30d",
    "fuxi list --json | jq -r '.[].shortLink'",
  ];
}

function addAccount(program: Command, place: Place): void {
  program
    .command("login [address]")
    .description("sign in with an API key, which is kept for this server")
    .addHelpText(
      "after",
      examples(
        "fuxi login https://links.example.com",
        "fuxi login --key fuxi_… # visible to other users of this computer",
        "pass show fuxi | fuxi login",
      ),
    )
    .action((address: string | undefined, _options: unknown, command: Command) =>
      login(place, address, command.optsWithGlobals()),
    );
  program
    .command("logout")
    .description("delete the API key from this computer")
    .action((_options: unknown, command: Command) => logout(place, command.optsWithGlobals()));
}

function addLinks(program: Command, place: Place): void {
  program
    .command("shorten [urls...]")
    .description("create short links; without URLs, they are read from stdin, one per line")
    .option("--slug <slug>", "the part after the domain; only for one URL")
    .option("--domain <domain>", "one of your domains; defaults to the primary one")
    .option("--tag <name>", "a tag; can be repeated", collect)
    .option("--folder <name>", "a folder, by name or id")
    .option("--title <title>", "the title of the link")
    .option("--comments <text>", "only visible to members of the workspace")
    .option("--expires <when>", "a date, a time, or 12h, 30d, 2w from now")
    .option(
      "--max-clicks <number>",
      "the link stops after this many clicks",
      wholeNumber(clicksMax),
    )
    .addHelpText(
      "after",
      examples(
        "fuxi shorten https://example.com/sale --slug sale --tag summer --expires 30d",
        "fuxi shorten - < urls.txt > links.txt",
      ),
    )
    .action((urls: string[], _options: unknown, command: Command) =>
      shorten(sessionOf(place, command), urls, command.opts()),
    );
}

function addViews(program: Command, place: Place): void {
  const sorts = new Option("--sort <field>", "newest, most clicks, or last clicked first")
    .choices(["createdAt", "clicks", "lastClicked"])
    .default("createdAt");
  program
    .command("list [search]")
    .description("list links; separated by tabs if the output isn’t a terminal")
    .option("--domain <domain>", "only links of this domain")
    .option("--tag <name>", "only links with this tag; can be repeated", collect)
    .option("--folder <name>", "only links in this folder")
    .option("--archived", "include archived links")
    .addOption(sorts)
    .option("--limit <number>", "links per page", wholeNumber(pageSizeMax), 20)
    .option("--page <number>", "the page", wholeNumber(pageMax), 1)
    .addHelpText("after", examples("fuxi list sale --tag summer --sort clicks"))
    .action((search: string | undefined, _options: unknown, command: Command) =>
      list(sessionOf(place, command), search, command.opts()),
    );
  program
    .command("delete <link>")
    .description("delete a link")
    .option("-y, --yes", "without confirmation")
    .addHelpText("after", examples("fuxi delete go.example.com/sale"))
    .action((link: string, _options: unknown, command: Command) =>
      deleteLink(sessionOf(place, command), link, command.opts()),
    );
  const interval = new Option("--interval <period>", "the period")
    .choices(intervals)
    .default("30d");
  const zone = new Option("--timezone <zone>", "the time zone of days and hours").default(
    Intl.DateTimeFormat().resolvedOptions().timeZone,
    "that of this computer",
  );
  program
    .command("stats [link]")
    .description("clicks of a link, or of all links, as a chart")
    .addOption(interval)
    .addOption(zone)
    .addHelpText("after", examples("fuxi stats go.example.com/sale --interval 7d", "fuxi stats"))
    .action((link: string | undefined, _options: unknown, command: Command) =>
      stats(sessionOf(place, command), link, command.opts()),
    );
}

function addFiles(program: Command, place: Place): void {
  const taken = new Option(
    "--on-taken <action>",
    "if a slug is taken: refuse the row, or generate another",
  )
    .choices(["refuse", "generate"])
    .default("refuse");
  program
    .command("import <file>")
    .description("create the links of a CSV file or an Excel workbook")
    .option(
      "--map <field=column>",
      "a column’s field; skip=column leaves it out; can be repeated",
      collect,
    )
    .option("--domain <domain>", "the domain of all links, whatever the file says")
    .option("--folder <name>", "for rows without a folder")
    .addOption(taken)
    .option("--dry-run", "only check the rows")
    .option("--results <file>", "save the rows with their short links as CSV")
    .addHelpText(
      "after",
      examples(
        "fuxi import links.csv --dry-run",
        "fuxi import export.xlsx --map url=long_url --map key=slug",
      ),
    )
    .action((file: string, _options: unknown, command: Command) =>
      importFile(sessionOf(place, command), file, command.opts()),
    );
  program
    .command("qr <link>")
    .description("draw the QR code of a link in the terminal, or save it with its design")
    .option("--png <file>", "save as PNG")
    .option("--svg <file>", "save as SVG")
    .option("--pdf <file>", "save as PDF")
    .option("--size <pixels>", "the width of images", wholeNumber(10_000))
    .addHelpText("after", examples("fuxi qr go.example.com/sale", "fuxi qr sale --svg sale.svg"))
    .action((link: string, _options: unknown, command: Command) =>
      qr(sessionOf(place, command), link, command.opts()),
    );
}

function addAssistants(program: Command, place: Place): void {
  program
    .command("mcp")
    .description("start an MCP server on stdin and stdout, for AI assistants")
    .addHelpText("after", examples("claude mcp add fuxi -- fuxi mcp"))
    .action((_options: unknown, command: Command) => serveMcp(place, command.optsWithGlobals()));
}

function addManual(program: Command, { terminal, origin }: Place): void {
  program
    .command("manual")
    .description("show the manual: all commands, options, files and exit codes")
    .option("--roff", "as a page for man")
    .action(({ roff }: { roff?: boolean }) => {
      const sections = manualOf(program, generalExamples());
      const text = roff
        ? manualPage(sections, origin.version)
        : manualText(sections, columnsOf(terminal));
      terminal.stdout.write(text);
    });
}

function addCompletion(program: Command, { terminal }: Place): void {
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>").choices(shells))
    .addHelpText("after", examples("source <(fuxi completion bash)"))
    .action((shell: Shell) => void terminal.stdout.write(completionScript(shell)));
  program
    .command("complete [words...]", { hidden: true })
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[]) => {
      const found = complete(program, words);
      terminal.stdout.write(found.map((word) => `${word}\n`).join(""));
    });
}
