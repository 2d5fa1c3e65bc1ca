/** The whole manual, in the order of man pages. It is made from the commands themselves, so that it names all of them. */
import type { Command } from "commander";
import { exitTexts } from "./failures.ts";

interface Entry {
  /** What the reader types; empty for a paragraph. */
  term: string;
  text: string;
}

interface Section {
  heading: string;
  entries: Entry[];
}

const variables: Entry[] = [
  { term: "FUXI_URL", text: "The URL of your Fuxi instance." },
  { term: "FUXI_API_KEY", text: "The API key to use instead of the one that you signed in with." },
  { term: "XDG_CONFIG_HOME", text: "The settings folder, if not the default one of the system." },
  { term: "NO_COLOR", text: "Set it to any value to turn off colors." },
];

const files: Entry[] = [
  {
    term: "~/.config/fuxi/config.json",
    text: "The servers that you signed in to, with their API keys; readable only by you. On macOS: ~/Library/Application Support/fuxi/config.json. On Windows: %APPDATA%\\fuxi\\config.json.",
  },
];

const paragraph = (text: string): Entry => ({ term: "", text });

export function manualOf(program: Command, examples: readonly string[]): Section[] {
  return [
    { heading: "Name", entries: [paragraph("fuxi - create, find and measure short links")] },
    { heading: "Synopsis", entries: [paragraph("fuxi [options] <command>")] },
    {
      heading: "Description",
      entries: [
        paragraph("Identify a link by its short link (go.example.com/sale), its id or its slug."),
        paragraph("Results are written to stdout, and messages to stderr."),
      ],
    },
    { heading: "Options", entries: optionsOf(program) },
    ...commandsOf(program, "fuxi").map(({ name, command }) => ({
      heading: name,
      entries: [
        paragraph(`${name} ${command.usage()}`),
        paragraph(sentenceOf(command.description())),
        ...optionsOf(command),
      ],
    })),
    { heading: "Environment", entries: variables },
    { heading: "Files", entries: files },
    {
      heading: "Exit status",
      entries: Object.values(exitTexts).map((text, code) => ({ term: String(code), text })),
    },
    { heading: "Examples", entries: examples.map(paragraph) },
  ];
}

const sentenceOf = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Commands that do something. Groups only add their name. */
function commandsOf(parent: Command, path: string): { name: string; command: Command }[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .filter((command) => command.name() !== "help")
    .flatMap((command) => {
      const name = `${path} ${command.name()}`;
      return command.commands.length > 0 ? commandsOf(command, name) : [{ name, command }];
    });
}

function optionsOf(command: Command): Entry[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command);
  // Every command has --help, so it is listed only once.
  const shown = options.filter(({ long }) => !command.parent || long !== "--help");
  return shown.map((option) => ({
    term: help.optionTerm(option),
    text: help.optionDescription(option),
  }));
}

export function manualText(sections: readonly Section[], columns: number): string {
  const written = sections.map(({ heading, entries }) => {
    const lines = entries.flatMap(({ term, text }) =>
      term === ""
        ? wrap(text, columns, "    ")
        : [`    ${term}`, ...wrap(text, columns, "        ")],
    );
    return [headingOf(heading), ...lines, ""].join("\n");
  });
  return written.join("\n");
}

/** Commands stay lowercase, because that is how they are typed. */
const headingOf = (heading: string) =>
  heading.startsWith("fuxi") ? heading : heading.toUpperCase();

function wrap(text: string, columns: number, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && line.length + word.length > columns) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}

/** A page for `man`, in roff. */
export function manualPage(sections: readonly Section[], version: string): string {
  const lines = sections.flatMap(({ heading, entries }) => [
    `.SH "${plainRoff(headingOf(heading))}"`,
    ...entries.flatMap(({ term, text }) =>
      term === "" ? [".PP", plainRoff(text)] : [".TP", `.B ${plainRoff(term)}`, plainRoff(text)],
    ),
  ]);
  return `${[`.TH FUXI 1 "" "fuxi ${version}" "Fuxi"`, ...lines].join("\n")}\n`;
}

const codeOf = (char: string) => char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");

/** Escapes text: roff takes a backslash as an escape, and a period or apostrophe at the start of a line as a request. */
function plainRoff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replace(/[^\n -~]/gu, (char) => `\\[u${codeOf(char)}]`)
    .replace(/^(?=[.'])/gm, "\\&");
}
