import { type FactsOfFile, fileFacts, type FileFacts } from '@holdfast/server/src/files/file-facts.ts';
import { findBytes } from '@holdfast/server/src/files/find-bytes.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import type { Command } from 'commander';
import { describe } from '../describe.ts';
import { openFor } from '../open-for.ts';
import { count, printable, sheet, size, time } from '../words.ts';

export function addFileShow(group: Command): void {
  describe(group.command('show'), {
    does: 'Show a file, also one that is gone: owner, state, bytes, and what withholds it.',
    examples: [
      ['file show q7Rt2mXa', 'by its name'],
      ['file show https://files.example.com/file/q7Rt2mXa.zip', 'by its link, whatever the host'],
      ['file show $(sha256sum < report.pdf | head -c 64)', 'by its SHA-256: all files of these bytes'],
    ],
  })
    .argument('<file>', 'name, link or SHA-256')
    .action(async (named: string, _options: unknown, command: Command) => {
      await using run = await openFor(command);
      const facts = await fileFacts(run.context, await findBytes(run.context, named));
      run.out.say(asJson(facts), asText(facts));
    });
}

const maybeTime = (ms: number | null) => (ms === null || ms === 0 ? null : timeText(ms));

const asJson = ({ sha256, blob, blocked, holds, files, fileCount }: FileFacts) => ({
  sha256,
  blob: blob && { ...blob, unused_since: maybeTime(blob.unused_since) },
  blocked,
  held_by: holds,
  live_files: fileCount,
  files: files.map((file) => ({
    name: file.name,
    original_name: file.originalName,
    account: file.account,
    size: file.size,
    hits: file.hits,
    uploaded: timeText(file.uploadedAt),
    last_accessed: maybeTime(file.lastAccessedAt),
    deleted: maybeTime(file.deletedAt),
    deleted_because: file.deletedBecause,
    pending_scan: file.pendingScan,
  })),
});

function asText(facts: FileFacts): string {
  const { sha256, blob, blocked, holds, fileCount } = facts;
  const bytes = sheet([
    ['SHA-256', sha256],
    ['Bytes', blob ? `${size(blob.size)}, blob ${blob.id}, ${blob.scan_state}` : 'have left storage'],
    ['Live files', `${count(fileCount, 'file')} of these bytes`],
    ['Held by', holds.length === 0 ? 'nothing' : holds.join(', ')],
    ['Upload', blocked ? 'refused' : 'allowed'],
  ]);
  return [...facts.files.map(fileText), bytes].join('\n\n');
}

function fileText(file: FactsOfFile): string {
  const why = file.deletedBecause === null ? '' : ` (${file.deletedBecause})`;
  const live = file.pendingScan ? 'waits for its scan' : 'live';
  return sheet([
    ['File', `${file.name}  ${printable(file.originalName)}`],
    ['Owner', file.account],
    ['State', file.deletedAt === null ? live : `gone since ${time(file.deletedAt)}${why}`],
    ['Size', size(file.size)],
    ['Uploaded', time(file.uploadedAt)],
    ['Hits', `${file.hits}, last ${time(file.lastAccessedAt)}`],
  ]);
}
