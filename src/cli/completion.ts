import type { Command, Option } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;

/** A script that completes commands, options and their choices; made from the commands themselves. */
export function completionScript(program: Command, shell: (typeof shells)[number]): string {
  if (shell === 'fish') return fish(program);
  return shell === 'bash' ? bash(program) : `autoload -U +X bashcompinit && bashcompinit\n${bash(program)}`;
}

function bash({ commands }: Command): string {
  const flags = commands.map((command) => `    ${command.name()}) words='${longOptions(command).join(' ')}' ;;`);
  const values = commands.flatMap((command) =>
    [
      ...command.options.map(({ long, argChoices }) => ({ after: long, argChoices })),
      ...command.registeredArguments.map(({ argChoices }) => ({ after: command.name(), argChoices })),
    ].flatMap(({ after, argChoices }) =>
      argChoices ? [`    '${command.name()} ${after}') words='${argChoices.join(' ')}' ;;`] : [],
    ),
  );
  return `_ibid() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then words='${commands.map((command) => command.name()).join(' ')}'
  else case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac; fi
  case "$cur" in -*) case "\${COMP_WORDS[1]}" in
${flags.join('\n')}
  esac ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _ibid ibid
`;
}

function fish({ commands }: Command): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const lineOf = (command: Command, { long, description, required, argChoices }: Option): string => {
    const value = argChoices ? ` -x -a ${quoted(argChoices.join(' '))}` : required ? ' -r' : '';
    return `complete -c ibid -n '__fish_seen_subcommand_from ${command.name()}' -l ${long!.slice(2)}${value} -d ${quoted(description)}`;
  };
  return `${commands
    .flatMap((command) => [
      `complete -c ibid -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.summary())}`,
      ...command.registeredArguments.flatMap(({ argChoices }) =>
        argChoices
          ? [
              `complete -c ibid -n '__fish_seen_subcommand_from ${command.name()}' -x -a ${quoted(argChoices.join(' '))}`,
            ]
          : [],
      ),
      ...command.options.map((option) => lineOf(command, option)),
    ])
    .join('\n')}\n`;
}

function longOptions({ options }: Command): string[] {
  return [...options.map(({ long }) => long!), '--help']; // each of our options has a long form
}
