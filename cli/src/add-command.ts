import type { Command } from 'commander';

export interface Description {
  /** One sentence. */
  readonly does: string;
  /** Anything else to know before using the command. */
  readonly more?: string;
  /** Each is a complete command line without `holdfast`, and its purpose. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
}

/** Adds a command with what every one has: a sentence, examples under `--help`, and `--json`. */
export function addCommand(group: Command, name: string, { does, more, examples }: Description): Command {
  const widest = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, meaning]) => `  holdfast ${line.padEnd(widest)}  ${meaning}`);
  return group
    .command(name)
    .description(does)
    .option('--json', 'print JSON; lists as one object per line')
    .addHelpText('after', `${more === undefined ? '' : `\n${more}\n`}\nExamples:\n${lines.join('\n')}`);
}
