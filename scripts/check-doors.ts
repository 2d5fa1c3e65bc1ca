/** Reports rooms whose index.ts exports too many names for one room, and unneeded exceptions. */
import type { SourceFile } from "./imports.ts";

const namesMax = 15;

/** Rooms that may export more, and why. */
const exempted: Readonly<Record<string, string>> = {
  "links/link-rows": "has every statement that writes a row of link, alias or link_tag",
};

const declared =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const exportList = /^export (?:type )?\{([^}]*)\}/gm;

/** The linter forbids `export *`. */
function exportsOf(text: string): string[] {
  const lists = [...text.matchAll(exportList)].flatMap(([, names = ""]) => names.split(","));
  return [
    ...[...text.matchAll(declared)].map(([, name = ""]) => name),
    ...lists.map((name) => name.trim().replace(/^(type )?(.* as )?/, "")).filter(Boolean),
  ];
}

export function findWideDoors(
  sources: readonly SourceFile[],
  exceptions: Readonly<Record<string, string>> = exempted,
): string[] {
  const doors = sources.flatMap(({ name, text }) => {
    const room = /^lib\/([^/]+\/[^/]+)\/index\.ts$/.exec(name)?.[1];
    return room === undefined ? [] : [{ room, names: exportsOf(text) }];
  });
  const tooWide = doors.filter(({ names }) => names.length > namesMax);
  const problems = tooWide.filter(({ room }) => !(room in exceptions));
  const idle = Object.keys(exceptions).filter((name) => !tooWide.some(({ room }) => room === name));
  return [
    ...problems.map(
      ({ room, names }) =>
        `the door of ${room} exports ${names.length} names, more than ${namesMax}: ${names.join(" ")}`,
    ),
    ...idle.map((room) => `no door needs the exception "${room}"`),
  ];
}
