import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { handleOutputErrors } from '../handle-output-error.ts';

export function addServe(program: Command): void {
  describeCommand(program.command('serve').alias('start'), {
    does: 'Run the server until it is stopped.',
    examples: [
      ['serve', 'as npm start does, without installing or building anything'],
      ['serve --files-only', 'public links alone, beside the replica of DATABASE_READ_URL'],
    ],
  })
    // The server's configuration finds it among the arguments of the process.
    .option('--files-only', 'serve only public links, beside a read replica')
    .action(async () => {
      // A server keeps running after the reader of its output has exited.
      process.stdout.off('error', handleOutputErrors);
      // The server reports its own errors and handles signals itself.
      await import('@holdfast/server/src/main.ts');
    });
}
