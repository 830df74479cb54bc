import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { handleOutputErrors } from '../handle-output-error.ts';

export function addServe(program: Command): void {
  describeCommand(program.command('serve'), {
    does: 'Run the server until it is stopped.',
    examples: [['serve', 'as npm start does, without installing or building anything']],
  }).action(async () => {
    // A server keeps running after the reader of its output has exited.
    process.stdout.off('error', handleOutputErrors);
    // The server reports its own errors and handles signals itself.
    await import('@holdfast/server/src/main.ts');
  });
}
