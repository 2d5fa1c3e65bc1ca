/**
 * No request to any operation causes a 5xx, or an answer that the document does not describe: bodies, queries and paths
 * generated from the document, and mutated everywhere. TEST_LONG tries 20,000 calls, otherwise as many as fit into 12 seconds.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { openAnswerCheck } from "../../test/api-answers.ts";
import { type CallAnswer, type Caller, keyCaller, personCaller } from "../../test/api-callers.ts";
import { readDocument } from "../../test/api-document.ts";
import { arbitraryCall, type RawCall } from "../../test/api-fuzz.ts";
import { operationsOf } from "../../test/api-operations.ts";
import { makeSubjects, type TestSubjects } from "../../test/api-subjects.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";

openTestStores();

const long = Boolean(process.env["TEST_LONG"]);
const callsAtOnce = 20;
const callsMax = 20_000;
const shortMs = 12_000;
const longMs = 15 * 60_000;

let subjects: TestSubjects;
let key: Caller;
let person: Caller;

beforeAll(async () => {
  const scope = await makeTestScope("ada");
  await openLinks();
  subjects = await makeSubjects(scope);
  key = await keyCaller(scope);
  person = await personCaller(scope);
});

async function send({ operation, address, body }: RawCall): Promise<CallAnswer> {
  const ask = operation.path.startsWith("/api/api-keys") ? person : key;
  return await ask({ method: operation.method, path: address, ...(body ? { text: body } : {}) });
}

test("no call, however malformed, gets a 500, or a status or body that the document does not have", {
  timeout: longMs + 60_000,
}, async () => {
  const statuses = new Map<number, number>();
  const document = await readDocument();
  const { schemas } = document.components;
  const check = openAnswerCheck(document);
  const call = arbitraryCall({ operations: operationsOf(document), schemas, subjects });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: callsAtOnce, maxLength: callsAtOnce, size: "max" }),
      async (calls) => {
        const answers = await Promise.all(calls.map(send));
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const wrong = answers.flatMap((answer, at) => {
          const { status, text } = answer;
          const { operation, address, body } = calls[at] ?? never();
          // A store that is slow on a busy machine is no bug; the long run checks that this is rare.
          const isFine = status < 500 || status === 503;
          const problem = isFine ? check(operation, answer) : "";
          return problem === undefined
            ? []
            : [`${problem}: ${operation.method} ${address} ${body} → ${status} ${text}`];
        });
        expect(wrong).toEqual([]);
      },
    ),
    {
      numRuns: callsMax / callsAtOnce,
      interruptAfterTimeLimit: long ? longMs : shortMs,
      markInterruptAsFailure: false,
      endOnFailure: true,
    },
  );
  const sum = [...statuses.values()].reduce((left, right) => left + right, 0);
  process.stdout.write(`${sum} calls: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
  // Calls that were all rejected early would prove nothing.
  expect(statuses.get(503) ?? 0).toBeLessThan(long ? sum / 1_000 : sum / 10);
  expect(statuses.get(200) ?? 0).toBeGreaterThan(sum / 20);
  expect(sum).toBeGreaterThan(long ? callsMax - 1 : 100);
});

function never(): never {
  throw new Error("There is no such operation");
}
