import type { Command } from 'commander';
import { Problem } from './exit-code.ts';

/** `source <(holdfast-cli completion bash)`. */
export function completion(shell: string, program: Command): string {
  const script = scripts[shell];
  if (!script) throw new Problem('usage', 'There are scripts for bash, zsh and fish.');
  return script(program);
}

const optionsOf = (command: Command) => command.options.map(({ long }) => long).join(' ');
const names = (program: Command) => program.commands.map((command) => command.name());

const scripts: Readonly<Record<string, (program: Command) => string>> = {
  bash: (program) => `_holdfast_cli() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '${names(program).join(' ')}' -- "$word"))
    return
  fi
  [ "\${word:0:1}" = - ] || return
  case \${COMP_WORDS[1]} in
${program.commands.map((each) => `    ${each.name()}) COMPREPLY=($(compgen -W '${optionsOf(each)}' -- "$word")) ;;`).join('\n')}
  esac
}
complete -o default -F _holdfast_cli holdfast-cli
`,
  zsh: (program) => `#compdef holdfast-cli
_holdfast_cli() {
  if (( CURRENT == 2 )); then
    compadd ${names(program).join(' ')}
  elif [[ $PREFIX == -* ]]; then
    case $words[2] in
${program.commands.map((each) => `      ${each.name()}) compadd -- ${optionsOf(each)} ;;`).join('\n')}
    esac
  else
    _files
  fi
}
compdef _holdfast_cli holdfast-cli
`,
  fish: (program) =>
    program.commands
      .flatMap((each) => [
        `complete -c holdfast-cli -n __fish_use_subcommand -f -a ${each.name()} -d '${each.description()}'`,
        ...each.options.map(
          ({ long, description }) =>
            `complete -c holdfast-cli -n '__fish_seen_subcommand_from ${each.name()}' -l ${(long ?? '').slice(2)} -d '${description}'`,
        ),
      ])
      .join('\n') + '\n',
};
