import { acceptSecret, isNotedSecret } from '@holdfast/server/src/accounts/api-key.ts';
import { recordAction } from '@holdfast/server/src/storage/db/record-action.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { handleOutputErrors } from './explain.ts';
import { openCommand } from './run.ts';

export function addServe(program: Command): void {
  addCommand(program, 'serve', {
    does: 'Run the server until it is stopped.',
    examples: [
      ['serve', 'as npm start does, without installing or building anything'],
      ['serve --files-only', 'public links alone, beside the replica of DATABASE_READ_URL'],
    ],
  })
    .alias('start')
    // The server's configuration finds it among the arguments of the process.
    .option('--files-only', 'serve only public links, beside a read replica')
    .action(async () => {
      // A server keeps running after the reader of its output has exited.
      process.stdout.off('error', handleOutputErrors);
      // The server reports its own errors and handles signals itself.
      await import('@holdfast/server/src/main.ts');
    });
}

export function addMigrate(program: Command): void {
  addCommand(program, 'migrate', {
    does: 'Bring the database up to date with this program.',
    more: 'A server does this as well when it starts. Make a backup first: this cannot be undone.',
    examples: [
      ['migrate', 'before the new version serves'],
      ['migrate --new-secret-key', 'when secret.key is lost'],
    ],
  })
    .option('--new-secret-key', 'go on with another secret key: API keys cannot be shown until they are changed')
    .action(async ({ newSecretKey = false }: { readonly newSecretKey?: boolean }, command: Command) => {
      await using run = await openCommand(command, 'migrate');
      const { context, actor, out } = run;
      if (newSecretKey) await acceptSecret(context);
      else await isNotedSecret(context);
      const newest = context.db.selectFrom('migrations').select('name').orderBy('name', 'desc').limit(1);
      const { name } = await newest.executeTakeFirstOrThrow();
      await recordAction(context, actor, { subject: name, details: { newSecretKey } });
      out.say({ newest: name }, `The database is up to date (${name}).`);
    });
}
