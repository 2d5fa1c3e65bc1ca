/** Replaces the code below the marker of a defence for `npm run test:mutation`. */
import ts from "typescript";
import type { Defence } from "../test/defences.ts";
import { findMarkers } from "./check-defences.ts";

type Mutant = { text: string } | { problem: string };

export type Outcome = { caughtBy: string } | { problem: string };

export interface TestResult {
  name: string;
  state: string;
  errors: string[];
}

interface Span {
  start: number;
  end: number;
}

const compilerOptions = {
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext,
};

export function mutate(
  file: string,
  text: string,
  { name, part, replacement }: Pick<Defence, "name" | "part" | "replacement">,
): Mutant {
  const marked = findMarked(file, text, name);
  if (!marked) return { problem: "no code begins below its marker" };
  const span = part === undefined ? marked : findPart(text, marked, part);
  if (!span) return { problem: "its part is not in the marked code exactly once" };
  const isRemoved = part === undefined && replacement === "";
  const end = isRemoved ? afterComma(text, span.end) : span.end;
  const mutant = `${text.slice(0, span.start)}${replacement}${text.slice(end)}`;
  const { diagnostics = [] } = ts.transpileModule(mutant, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions,
  });
  const [error] = diagnostics;
  if (!error) return { text: mutant };
  const message = ts.flattenDiagnosticMessageText(error.messageText, " ");
  return { problem: `the code without it is not valid: ${message}` };
}

/** Only counts tests that ran, because a file that cannot be loaded proves nothing. */
export function judge(results: readonly TestResult[]): Outcome {
  const [failed] = results.filter(({ state }) => state === "failed");
  if (failed?.errors.includes("ReferenceError")) {
    return { problem: "the code without it lacks a name" };
  }
  if (failed) return { caughtBy: failed.name };
  const hasRun = results.some(({ state }) => state === "passed");
  return { problem: hasRun ? "no test failed" : "no test ran" };
}

/** The largest node that begins below the marker. In a chain of calls, the call that begins there. */
function findMarked(file: string, text: string, name: string): Span | undefined {
  const marker = findMarkers(text).find((found) => found.name === name);
  if (!marker) return undefined;
  const [blank = ""] = /^(?:\s|\/\/.*|\{?\/\*[\s\S]*?\*\/\}?)*/.exec(text.slice(marker.end)) ?? [];
  const start = marker.end + blank.length;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const find = (node: ts.Node): Span | undefined => {
    const isCode = !ts.isJsxAttributes(node) && node.kind !== ts.SyntaxKind.EndOfFileToken;
    if (isCode && node.getStart(source) === start) return { start, end: node.end };
    if (isChainedAt(node, start)) {
      const { parent } = node;
      const isCalled = ts.isCallExpression(parent) && parent.expression === node;
      return { start, end: isCalled ? parent.end : node.end };
    }
    return ts.forEachChild(node, (child) =>
      child.pos <= start && start < child.end ? find(child) : undefined,
    );
  };
  return ts.forEachChild(source, find);
}

function isChainedAt(node: ts.Node, start: number): node is ts.PropertyAccessExpression {
  return (
    ts.isPropertyAccessExpression(node) && node.expression.end <= start && start < node.name.pos
  );
}

/** Ignores spaces and line breaks, so that code can be reindented. */
function findPart(text: string, { start, end }: Span, part: string): Span | undefined {
  const words = part.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = [...text.slice(start, end).matchAll(new RegExp(words.join("\\s+"), "g"))];
  const [one] = found;
  if (!one || found.length > 1) return undefined;
  return { start: start + one.index, end: start + one.index + one[0].length };
}

function afterComma(text: string, end: number): number {
  return end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0);
}
