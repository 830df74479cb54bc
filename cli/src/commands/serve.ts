import type { Command } from 'commander';
import { describe } from '../describe.ts';
import { endWhenUnwritable } from '../end-when-unwritable.ts';

export function addServe(program: Command): void {
  describe(program.command('serve'), {
    does: 'Run the server until it is told to stop.',
    examples: [['serve', 'as npm start does, without installing or building anything']],
  }).action(async () => {
    // A server outlives whoever reads what it prints.
    process.stdout.off('error', endWhenUnwritable);
    // The server says for itself what goes wrong, and ends on the signals itself.
    await import('@holdfast/server/src/main.ts');
  });
}
