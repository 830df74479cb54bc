import type { Command } from 'commander';
import { addFileDiscard } from './file-discard.ts';
import { addFileQuarantine } from './file-quarantine.ts';
import { addFileRestore } from './file-restore.ts';
import { addFileShow } from './file-show.ts';
import { addFileTakeDown } from './file-take-down.ts';

export function addFile(program: Command): void {
  const group = program
    .command('file')
    .description('Show files, take them down, bring them back, or let their bytes go.');
  for (const add of [addFileShow, addFileTakeDown, addFileQuarantine, addFileRestore, addFileDiscard]) add(group);
}
