import { timeText } from '@holdfast/server/src/lib/clock.ts';
import { listNodes } from '@holdfast/server/src/operator/list-nodes.ts';
import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { cells, printable, time } from '../format.ts';
import { openCommand } from '../open-command.ts';

export function addNodes(program: Command): void {
  describeCommand(program.command('nodes'), {
    does: 'List the server processes that run on this database now: machine and process, region, version, start.',
    more: 'A process that was killed is listed for five seconds more.',
    examples: [
      ['nodes', 'all of them'],
      ["nodes --json | jq -r '.version' | sort | uniq -c", 'how many run each version'],
    ],
  }).action(async (_options: unknown, command: Command) => {
    await using run = await openCommand(command);
    for (const { id, name, region, version, startedAt } of await listNodes(run.context))
      await run.out.row(
        { id, name, region, version, started: timeText(startedAt) },
        cells([printable(name), 32], [printable(region), 16], [version, 12], [`since ${time(startedAt)}`, 0]),
      );
  });
}
