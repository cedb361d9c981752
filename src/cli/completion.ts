import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;

/** A script that completes commands, options and their choices; made from the commands themselves. */
export function completionScript(program: Command, shell: (typeof shells)[number]): string {
  if (shell === 'fish') return fish(program);
  return shell === 'bash' ? bash(program) : `${zshStart}${bash(program)}`;
}

/** A zsh without a configuration has no completion yet; `-i` asks nothing. */
const zshStart = `(( $+functions[compdef] )) || { autoload -U compinit && compinit -i }
autoload -U +X bashcompinit && bashcompinit
`;

function bash({ commands, options }: Command): string {
  const inner = commands.flatMap((command) =>
    command.commands.map((one) => [`'${command.name()} ${one.name()}'`, one] as const),
  );
  const outer = commands.map((command) => [`'${command.name()} '*`, command] as const);
  // those of two words first: the first pattern that fits is taken
  const flags = [...inner, ...outer].map(
    ([at, command]) => `    ${at}) words='${longOptions(command.options).join(' ')}' ;;`,
  );
  const values = commands.flatMap((command) =>
    [command, ...command.commands]
      .flatMap((one) => [
        ...one.options.map(({ long, argChoices }) => ({ after: long, choices: argChoices })),
        { after: one.name(), choices: choicesOf(one) },
      ])
      .flatMap(({ after, choices }) =>
        choices?.length ? [`    '${command.name()} ${after}') words='${choices.join(' ')}' ;;`] : [],
      ),
  );
  return `_ibid() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    case "$cur" in -*) words='${longOptions(options).join(' ')}' ;; *) words='${commands.map((command) => command.name()).join(' ')}' ;; esac
  else case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac; fi
  [ "$COMP_CWORD" -eq 1 ] || case "$cur" in -*) case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${flags.join('\n')}
  esac ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _ibid ibid
`;
}

function fish(program: Command): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const linesOf = (command: Command, above: readonly string[]): readonly string[] => {
    const seen = [...above, command.name()].map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    const inside = `complete -c ibid -n '${seen}'`;
    const before = above.length === 0 ? '__fish_use_subcommand' : `'__fish_seen_subcommand_from ${above.join(' ')}'`;
    const choices = choicesOf(command);
    return [
      `complete -c ibid -n ${before} -f -a ${command.name()} -d ${quoted(command.summary())}`,
      ...(choices.length > 0 && command.commands.length === 0 ? [`${inside} -x -a ${quoted(choices.join(' '))}`] : []),
      ...command.options.map(({ long, description, required, argChoices }) => {
        const value = argChoices ? ` -x -a ${quoted(argChoices.join(' '))}` : required ? ' -r' : '';
        return `${inside} -l ${long!.slice(2)}${value} -d ${quoted(description)}`; // each of our options has a long form
      }),
      ...command.commands.flatMap((one) => linesOf(one, [...above, command.name()])),
    ];
  };
  return `${program.commands.flatMap((command) => linesOf(command, [])).join('\n')}\n`;
}

/** What may follow the name of a command: its commands, or the choices of its argument. */
function choicesOf({ commands, registeredArguments }: Command): readonly string[] {
  return [...commands.map((one) => one.name()), ...registeredArguments.flatMap(({ argChoices = [] }) => argChoices)];
}

function longOptions(options: Command['options']): string[] {
  return [...options.map(({ long }) => long!), '--help']; // each of our options has a long form
}
