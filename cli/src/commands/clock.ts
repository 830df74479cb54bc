import { timeText } from '@holdfast/server/src/lib/clock.ts';
import { confirmClock, heldJobs, lookAtClock } from '@holdfast/server/src/operator/clock.ts';
import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { openCommand } from '../open-command.ts';

export function addClock(program: Command): void {
  const group = program.command('clock').description('Show whether jobs trust the clock, or confirm it after a jump.');
  addClockShow(group);
  addClockAccept(group);
}

function addClockShow(group: Command): void {
  describeCommand(group.command('show', { isDefault: true }), {
    does: 'Show whether jobs that delete hold still, because the clock has jumped.',
    examples: [['clock', 'the time, and by how much the clock has jumped']],
  }).action(async (_options: unknown, command: Command) => {
    await using run = await openCommand(command);
    const hold = await lookAtClock(run.context);
    const now = timeText(run.context.clock.now());
    if (!hold) return run.out.say({ now, held: false }, `It is ${now}. No job holds still because of the clock.`);
    const { at, by, cause, left } = hold;
    const facts = {
      now,
      held: true,
      cause,
      since: timeText(at),
      seconds: toSeconds(by),
      seconds_left: toSeconds(left),
    };
    const why =
      cause === 'stop'
        ? `The machine was restarted. The service was off for ${hoursOf(by)} until ${timeText(at)}, or the clock is ahead.`
        : `The clock jumped ${by < 0 ? 'back' : 'ahead'} by ${hoursOf(Math.abs(by))} to ${timeText(at)}.`;
    run.out.say(
      { ...facts, jobs: heldJobs },
      `It is ${now}. ${why} These jobs hold still until the service has run for another ${hoursOf(left)}: ` +
        `${heldJobs.join(', ')}. If the time is right, give 'holdfast clock accept'.`,
    );
  });
}

function addClockAccept(group: Command): void {
  describeCommand(group.command('accept'), {
    does: 'Confirm that the clock is right now, so that jobs that hold still after a jump run again.',
    more: 'Set the clock first: from then on everything counts that is old by it.',
    examples: [['clock accept', 'ends the waiting time of 24 hours']],
  }).action(async (_options: unknown, command: Command) => {
    await using run = await openCommand(command);
    const ended = await confirmClock(run.context, run.actor);
    const sentence = ended
      ? 'The clock is confirmed: the jobs run again at their next times.'
      : 'No job holds still because of the clock.';
    run.out.say({ accepted: ended }, sentence);
  });
}

const toSeconds = (ms: number) => Math.round(ms / 1000);
const hoursOf = (ms: number) => `${(ms / 3_600_000).toLocaleString('en', { maximumFractionDigits: 1 })} hours`;
