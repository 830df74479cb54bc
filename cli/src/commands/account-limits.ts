import { type PlanLevel, planLevels, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { grantPlan } from '@holdfast/server/src/operator/grant-plan.ts';
import { knownAccount } from '@holdfast/server/src/operator/known-account.ts';
import { recordAction } from '@holdfast/server/src/operator/record-action.ts';
import { type LimitChanges, setLimits } from '@holdfast/server/src/operator/set-limits.ts';
import { Argument, type Command } from 'commander';
import { countLimit as countArgument, planLevel, sizeLimit as sizeArgument, speedLimit } from '../arguments.ts';
import { describeCommand } from '../describe.ts';
import { Refused, WrongUsage } from '../explain.ts';
import { countLimit, sheet, sizeLimit } from '../format.ts';
import { openCommand } from '../open-command.ts';

export function addAccountSetPlan(group: Command): void {
  describeCommand(group.command('set-plan'), {
    does: 'Give an account a plan without payment; free removes it.',
    more: 'The account has the better of this plan and the one it pays for. Nothing is deleted when the new plan is smaller.',
    examples: [
      ['account set-plan ada@example.com power', 'gives Ada the plan Power'],
      ['account set-plan ada@example.com free', 'leaves Ada the plan she pays for'],
    ],
  })
    .argument('<address>', 'of the account')
    .addArgument(new Argument('<plan>', `one of ${planLevels.join(', ')}`).argParser(planLevel))
    .action(async (named: string, granted: PlanLevel, _options: unknown, command: Command) => {
      await using run = await openCommand(command);
      const { context, actor, out } = run;
      const account = await knownAccount(context, named);
      const level = await grantPlan(context, account.id, granted, (tx, now) =>
        recordAction({ ...context, db: tx }, actor, {
          subject: account.email,
          details: { granted, before: account.granted_level, level: now },
        }),
      );
      if (level === null) throw new Refused(`The account ${account.email} was closed a moment ago.`);
      const better = level === granted ? '' : `, because it pays for it; ${context.plans[granted].name} is recorded`;
      out.say(
        { email: account.email, granted, plan: level },
        `${account.email} has ${context.plans[level].name}${better}.`,
      );
    });
}

interface LimitOptions {
  readonly fileSize?: number | 'plan';
  readonly space?: number | 'plan';
  readonly files?: number | 'plan';
  readonly speed?: number | 'plan';
  readonly reset?: true;
}

export function addAccountSetLimits(group: Command): void {
  describeCommand(group.command('set-limits'), {
    does: 'Give an account limits of its own instead of those of its plan.',
    more:
      "They hold whatever plan the account has, until the value 'plan' gives the plan's limit back. Nothing is deleted " +
      'when the account has more than a new limit.',
    examples: [
      ['account set-limits ada@example.com --space 50GB --file-size 10GB', 'more space and larger files for Ada'],
      ['account set-limits ada@example.com --speed unlimited', 'her links at full speed'],
      ['account set-limits ada@example.com --reset', 'all limits of her plan again'],
    ],
  })
    .argument('<address>', 'of the account')
    .option('--file-size <size>', "largest file, such as 10GB, or 'unlimited', or 'plan'", sizeArgument)
    .option('--space <size>', "of all files, such as 50GB, or 'unlimited', or 'plan'", sizeArgument)
    .option('--files <n>', "number of files, or 'unlimited', or 'plan'", countArgument)
    .option('--speed <Mbps>', "of downloads, from 1 to 999, or 'unlimited', or 'plan'", speedLimit)
    .option('--reset', 'give all limits of the plan back')
    .action(async (named: string, options: LimitOptions, command: Command) => {
      const changes = changesIn(options);
      if (Object.keys(changes).length === 0)
        throw new WrongUsage('Name a limit: --file-size, --space, --files or --speed, or --reset for all of them.');
      await using run = await openCommand(command);
      const { context, actor, out } = run;
      const account = await knownAccount(context, named);
      const plan = await setLimits(context, actor, account, changes);
      if (plan === null) throw new Refused(`The account ${account.email} was closed a moment ago.`);
      const { maxFileSize, spaceQuota, slotsQuota, maxDownloadMbps } = plan;
      out.say(
        {
          email: account.email,
          max_file_size: maxFileSize,
          space_quota: spaceQuota,
          slots_quota: slotsQuota,
          max_file_download_speed: maxDownloadMbps,
        },
        sheet([
          ['Account', account.email],
          ['Largest file', sizeLimit(maxFileSize)],
          ['Space', sizeLimit(spaceQuota)],
          ['Files', countLimit(slotsQuota)],
          ['Speed', maxDownloadMbps >= unlimitedMbps ? 'unlimited' : `${maxDownloadMbps} Mbps`],
        ]),
      );
    });
}

function changesIn({ fileSize, space, files, speed, reset }: LimitOptions): LimitChanges {
  const all = { maxFileSize: fileSize, spaceQuota: space, slotsQuota: files, maxDownloadMbps: speed };
  return Object.fromEntries(
    Object.entries(all)
      .map(([name, value]) => [name, value === undefined && reset ? 'plan' : value] as const)
      .filter(([, value]) => value !== undefined),
  );
}
