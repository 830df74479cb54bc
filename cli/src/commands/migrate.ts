import { recordAction } from '@holdfast/server/src/operator/record-action.ts';
import { loadConfig } from '@holdfast/server/src/config/config.ts';
import { openContext } from '@holdfast/server/src/context.ts';
import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { actorOf } from '../open-command.ts';
import { openOutput } from '../output.ts';
import { openProgress } from '../progress.ts';
import { openWarningLog } from '../warning-log.ts';

export function addMigrate(program: Command): void {
  describeCommand(program.command('migrate'), {
    does: 'Bring the database up to date with this program.',
    more: 'A server does this as well when it starts. Make a backup first: this cannot be undone.',
    examples: [['migrate', 'before the new version serves']],
  }).action(async (_options: unknown, command: Command) => {
    const log = openWarningLog({ progress: openProgress(), all: true });
    await using context = await openContext(loadConfig(), log);
    const rows = await context.db.selectFrom('migrations').select('name').orderBy('name').execute();
    const newest = rows.at(-1)?.name ?? '';
    await recordAction(context, actorOf(command), { subject: newest });
    openOutput(command).say({ newest }, `The database is up to date (${newest}).`);
  });
}
