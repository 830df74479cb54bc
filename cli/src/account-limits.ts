import type { OwnLimits } from '@holdfast/server/src/accounts/plan-of.ts';
import { type LimitChanges, setLimits } from '@holdfast/server/src/accounts/change-account.ts';
import type { Command } from 'commander';
import { addAccountCommand, closedNow, withAccount } from './account-command.ts';
import { countLimit as countArgument, sizeLimit as sizeArgument, speedLimit as speedArgument } from './arguments.ts';
import { WrongUsage } from './explain.ts';
import { countLimit, sheet, sizeLimit, speedLimit } from './format.ts';

/** The limits that an account can have of its own: for the API, for the command line, and for people. */
export const limits = [
  { key: 'maxFileSize', member: 'max_file_size', option: 'fileSize', label: 'File size', show: sizeLimit },
  { key: 'spaceQuota', member: 'space_quota', option: 'space', label: 'Space', show: sizeLimit },
  { key: 'slotsQuota', member: 'slots_quota', option: 'files', label: 'Files', show: countLimit },
  { key: 'maxDownloadMbps', member: 'max_file_download_speed', option: 'speed', label: 'Speed', show: speedLimit },
] as const satisfies readonly { readonly key: keyof OwnLimits; readonly [more: string]: unknown }[];

type LimitOptions = { readonly [Option in (typeof limits)[number]['option']]?: number | 'plan' } & {
  readonly reset?: true;
};

export function addSetLimits(group: Command): void {
  addAccountCommand(group, 'set-limits', {
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
    .option('--file-size <size>', "largest file, such as 10GB, or 'unlimited', or 'plan'", sizeArgument)
    .option('--space <size>', "of all files, such as 50GB, or 'unlimited', or 'plan'", sizeArgument)
    .option('--files <n>', "number of files, or 'unlimited', or 'plan'", countArgument)
    .option('--speed <Mbps>', "of downloads, from 1 to 999, or 'unlimited', or 'plan'", speedArgument)
    .option('--reset', 'give all limits of the plan back')
    .action(
      withAccount(async ({ context, actor, out }, account, options: LimitOptions) => {
        const { email } = account;
        const changes: LimitChanges = Object.fromEntries(
          limits
            .map(({ key, option }) => [key, options[option] ?? (options.reset && 'plan')] as const)
            .filter(([, value]) => value !== undefined),
        );
        if (Object.keys(changes).length === 0)
          throw new WrongUsage('Name a limit: --file-size, --space, --files or --speed, or --reset for all of them.');
        const plan = await setLimits(context, actor, account, changes);
        if (plan === null) throw closedNow(email);
        out.say(
          { email, ...Object.fromEntries(limits.map(({ key, member }) => [member, plan[key]])) },
          sheet([['Account', email], ...limits.map(({ key, label, show }) => [label, show(plan[key])] as const)]),
        );
      }),
    );
}
