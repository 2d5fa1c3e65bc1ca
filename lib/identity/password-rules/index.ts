/** Refuses passwords that programs try first. Loads the large lists when it checks the first password. */
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** common: leaked; personal: little more than the person's own words; guessable: a pattern. */
export type PasswordFlaw = "password_common" | "password_personal" | "password_guessable";

const scoreMin = 2;
/** Only judges the beginning: estimates take more than linear time, and a longer password is no weaker. */
const charsJudged = 32;
const substitutionsMax = 20;

const leaked = "passwords-common";
let opened: Promise<ZxcvbnFactory> | undefined;

async function open(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({
    dictionary: { [leaked]: dictionary[leaked] },
    graphs: adjacencyGraphs,
    maxLength: charsJudged,
    l33tMaxSubstitutions: substitutionsMax,
  });
}

/** `words`: the person's name, email address etc. Undefined: the password is accepted. */
export async function findPasswordFlaw(
  password: string,
  words: readonly string[],
): Promise<PasswordFlaw | undefined> {
  opened ??= open();
  const own = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]).filter(Boolean);
  const { score, sequence } = (await opened).check(password.slice(0, charsJudged), [
    ...own,
    "fuxi",
  ]);
  if (score >= scoreMin) return undefined;
  const names = sequence.map((part) => ("dictionaryName" in part ? part.dictionaryName : ""));
  if (names.includes("userInputs")) return "password_personal";
  return names.length === 1 && names[0] === leaked ? "password_common" : "password_guessable";
}
