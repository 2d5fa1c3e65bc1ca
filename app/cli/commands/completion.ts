/**
 * Completion: the shell asks the program for the words that fit, so a new command needs no new script. Nothing is
 * requested from a server while someone types.
 */
import type { Command } from "commander";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const scripts: Record<Shell, string> = {
  bash: `# Completion of fuxi for bash. In ~/.bashrc: source <(fuxi completion bash)
_fuxi() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(fuxi complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fuxi fuxi
`,
  zsh: `#compdef fuxi
# Completion of fuxi for zsh. In ~/.zshrc, after compinit: source <(fuxi completion zsh)
_fuxi() {
  local -a found
  found=("\${(@f)$(fuxi complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _fuxi fuxi
`,
  fish: `# Completion of fuxi for fish: fuxi completion fish > ~/.config/fish/completions/fuxi.fish
complete -c fuxi -a '(fuxi complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};

export function completionScript(shell: Shell): string {
  return scripts[shell];
}

/** The words that may follow. The last given word is still being typed. */
export function complete(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  let command = program;
  for (const word of before) {
    command = command.commands.find((one) => one.name() === word) ?? command;
  }
  const options = [...command.options, ...program.options];
  const pending = options.find(({ long, required }) => required && long === before.at(-1));
  const offered = pending
    ? (pending.argChoices ?? [])
    : typed.startsWith("-")
      ? ["--help", ...options.flatMap(({ long }) => long ?? [])]
      : [
          ...command.commands.map((one) => one.name()).filter((name) => name !== "complete"),
          ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
        ];
  return [...new Set(offered)].filter((word) => word.startsWith(typed));
}
