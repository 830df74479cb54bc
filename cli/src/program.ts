import { version } from '@holdfast/server/src/config/version.ts';
import { Command } from 'commander';
import { addAccount } from './account.ts';
import { addAudit } from './audit.ts';
import { addBackup, addRestore } from './backup.ts';
import { addFile } from './file.ts';
import { addFsck } from './fsck.ts';
import { addImport } from './import.ts';
import { addInvite, addOwnerLink } from './invite.ts';
import { addJobs, addPurgeNow } from './jobs.ts';
import { addMove } from './move.ts';
import { addPlans } from './plans.ts';
import { addMigrate, addServe } from './serve.ts';
import { addStats } from './stats.ts';
import { addStorage } from './storage.ts';
import { addUpdate } from './update.ts';

/** In the order of `--help`. */
const groups = [
  addServe,
  addMigrate,
  addStats,
  addPlans,
  addOwnerLink,
  addInvite,
  addAccount,
  addFile,
  addImport,
  addFsck,
  addJobs,
  addPurgeNow,
  addBackup,
  addRestore,
  addUpdate,
  addMove,
  addStorage,
  addAudit,
];

export function buildProgram(): Command {
  const program = new Command('holdfast')
    .description('Runs and administers Holdfast. It reads the same settings as the server.')
    .version(version, '--version', 'print the version of this program')
    // The server's configuration finds it among the arguments of the process, before any command begins.
    .option('--settings <file>', "read the settings from this file instead of the program's .env")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("Add --help to see how it's used.")
    .exitOverride();
  for (const add of groups) add(program);
  return program;
}
