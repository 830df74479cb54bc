import type { Command } from 'commander';

export interface Description {
  /** One sentence. */
  readonly does: string;
  /** Each a whole command line without `holdfast`, and what it is for. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** What else somebody must know before they use it. */
  readonly more?: string;
}

/** What every command has: a sentence, examples under `--help`, and `--json`. */
export function describe(command: Command, { does, examples, more }: Description): Command {
  const widest = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, meaning]) => `  holdfast ${line.padEnd(widest)}  ${meaning}`);
  return command
    .description(does)
    .option('--json', 'answer as JSON, lists as one object a line')
    .addHelpText('after', `${more === undefined ? '' : `\n${more}\n`}\nExamples:\n${lines.join('\n')}`);
}

/** The whole name of a command, such as `file take-down`. */
export function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}
