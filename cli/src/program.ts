import { version } from '@holdfast/server/src/config/version.ts';
import { Command } from 'commander';
import { addAccount } from './commands/account.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addFile } from './commands/file.ts';
import { addFsck } from './commands/fsck.ts';
import { addInvite, addOwnerLink } from './commands/invite.ts';
import { addJobs } from './commands/jobs.ts';
import { addMigrate } from './commands/migrate.ts';
import { addMove } from './commands/move.ts';
import { addPlans } from './commands/plans.ts';
import { addPurgeNow } from './commands/purge-now.ts';
import { addRestore } from './commands/restore.ts';
import { addServe } from './commands/serve.ts';
import { addStats } from './commands/stats.ts';

/** Every group of commands registers itself; this order is that of `--help`. */
const groups = [
  addServe,
  addMigrate,
  addStats,
  addPlans,
  addOwnerLink,
  addInvite,
  addAccount,
  addFile,
  addFsck,
  addJobs,
  addPurgeNow,
  addBackup,
  addRestore,
  addMove,
  addAudit,
];

export function buildProgram(): Command {
  const program = new Command('holdfast')
    .description('Runs and administers Holdfast. It reads the same settings as the server.')
    .version(version, '--version', 'print the version of this program')
    // The server's configuration finds it among the arguments of the process, before any command begins.
    .option('--env-file <file>', "read the settings from this file instead of the program's .env")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("Add --help to see how it's used.")
    .exitOverride();
  for (const add of groups) add(program);
  return program;
}
