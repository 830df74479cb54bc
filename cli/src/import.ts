import { knownAccount } from '@holdfast/server/src/accounts/find-account.ts';
import { importFiles } from '@holdfast/server/src/operator/import/import-files.ts';
import { readZipline } from '@holdfast/server/src/operator/import/zipline.ts';
import { recordAction } from '@holdfast/server/src/storage/db/record-action.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { Findings, WrongUsage } from './explain.ts';
import { count, printable } from './format.ts';
import { type Run, withRun } from './run.ts';
import { pathFromCaller } from './settings-folder.ts';

interface Options {
  readonly to: string;
  readonly zipline?: string;
  readonly user?: string;
}

export function addImport(program: Command): void {
  addCommand(program, 'import', {
    does: 'Store the files of a folder in an account.',
    more:
      'The limits of the account and the scanner decide about each file, as about an upload. Files of sub-folders are\n' +
      'stored by their own names; hidden files and links are left out. Given again, it stores what is missing. With --json\n' +
      'each file that could not be stored is a line and the summary is the last one; the exit code is then 1.\n\n' +
      "For Zipline 4 the folder is that of its uploads, or a user's unpacked export, and --zipline the export of the\n" +
      'server, which has the original names. Files that it does not list are left out.',
    examples: [
      ['import /srv/pictures --to ann@example.com', 'stores all files'],
      ['import uploads --to ann@example.com --zipline export.json --user ann', 'stores those of a user of Zipline'],
    ],
  })
    .argument('<folder>', 'where the files are')
    .requiredOption('--to <address>', 'of the account')
    .option('--zipline <file>', 'the export of a server with Zipline 4')
    .option('--user <name>', 'only the files of this user of Zipline')
    .action(withRun(importFolder));
}

async function importFolder(run: Run, folder: string, { to, zipline, user }: Options): Promise<void> {
  const { context, actor, out, progress, signal } = run;
  if (user !== undefined && zipline === undefined) throw new WrongUsage('Use --user with --zipline.');
  const account = await knownAccount(context, to);
  const names = zipline === undefined ? null : await readZipline(pathFromCaller(zipline), user);
  const from = pathFromCaller(folder);
  await recordAction(context, actor, { subject: account.id, details: { from } });
  const { stored, storedBefore, failed } = await importFiles(context, from, {
    account,
    signal,
    ...(names && { nameOf: (path) => names.get(path) }),
    tell: ({ path, reason }) => out.tell({ path, reason }, `${printable(path)}: ${printable(reason)}`),
    progress: (done) => progress.show(count(done, 'file')),
  });
  progress.end();
  const others = [
    ...(storedBefore > 0 ? [`${storedBefore.toLocaleString('en')} stored before`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString('en')} not stored`] : []),
  ];
  const text = `${[`${count(stored, 'file')} stored`, ...others].join(', ')}.`;
  out.say({ stored, stored_before: storedBefore, failed }, text);
  if (failed > 0) throw new Findings();
}
