/** Parts that commands share: examples, and options that are parsed alike. */
import { type Command, InvalidArgumentError } from "commander";
import { openSession, type Place, type Session } from "./session.ts";

export const pageSizeMax = 100;

export function examples(...lines: string[]): string {
  return ["", "Examples:", ...lines.map((line) => `  $ ${line}`)].join("\n");
}

export function sessionOf(place: Place, command: Command): Session {
  return openSession(place, command.optsWithGlobals());
}

export function wholeNumber(max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`Use a whole number from 1 to ${max}.`);
  };
}

export function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}
