import type { Command } from 'commander';

export interface Description {
  /** One sentence. */
  readonly does: string;
  /** Each is a complete command line without `holdfast`, and its purpose. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Anything else to know before using the command. */
  readonly more?: string;
}

/** Adds what every command has: a sentence, examples under `--help`, and `--json`. */
export function describeCommand(command: Command, { does, examples, more }: Description): Command {
  const widest = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, meaning]) => `  holdfast ${line.padEnd(widest)}  ${meaning}`);
  return command
    .description(does)
    .option('--json', 'print JSON; lists as one object per line')
    .addHelpText('after', `${more === undefined ? '' : `\n${more}\n`}\nExamples:\n${lines.join('\n')}`);
}

/** Returns the full name of a command, such as `file take-down`. */
export function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}
