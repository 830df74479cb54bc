import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { days, seconds, timeText } from '@holdfast/server/src/lib/clock.ts';
import {
  createInvitation,
  listInvitations,
  ownerLink,
  revokeInvitation,
} from '@holdfast/server/src/accounts/invitations.ts';
import type { Command } from 'commander';
import { planLevel, positiveNumber } from './arguments.ts';
import { addCommand } from './add-command.ts';
import { Refused } from './explain.ts';
import { cells, count, time } from './format.ts';
import { openCommand, withRun } from './run.ts';

export function addInvite(program: Command): void {
  const group = program.command('invite').description('Invite people to sign up.');
  for (const add of [addInviteCreate, addInviteList, addInviteRevoke]) add(group);
}

function addInviteCreate(group: Command): void {
  addCommand(group, 'create', {
    does: 'Create a link by which people sign up.',
    more:
      'The link works while SIGN_UP is open or invite. Its accounts keep their plan when it is revoked or expires. ' +
      'With --verified they need no code, so everybody who has the link can sign up with any address.',
    examples: [
      ['invite create', 'one account on the default plan, within 7 days'],
      ['invite create --plan basic --uses 20 --days 30', 'up to 20 accounts on Basic, within 30 days'],
      ['invite create --verified', 'for a server without a mail server'],
    ],
  })
    .option('--plan <plan>', 'plan of its accounts instead of the default plan', planLevel)
    .option('--uses <number>', 'how many accounts it may make', positiveNumber, 1)
    .option('--days <number>', 'how long it is valid', positiveNumber, 7)
    .option('--verified', 'its accounts need no code')
    .action(
      withRun(
        async ({ context, actor, out }, options: { plan?: PlanLevel; uses: number; days: number; verified?: true }) => {
          const level = options.plan ?? context.config.defaultPlan;
          const expiresAt = context.clock.now() + days(options.days);
          const verifies = options.verified === true;
          const { id, link } = await createInvitation(context, actor, {
            level,
            mostUses: options.uses,
            expiresAt,
            verifies,
          });
          const closed = context.config.signUp === 'closed' ? ' SIGN_UP is closed, so it does not work now.' : '';
          const local =
            context.config.publicUrl === null ? ' It opens on this machine only, until PUBLIC_URL is set.' : '';
          out.say(
            { id, link, plan: level, uses: options.uses, expires: timeText(expiresAt) },
            `${link}\nThis link is for ${count(options.uses, 'account')} on ${context.config.plans[level].name} until ${time(expiresAt)}. Its id is ${id}.${closed}${local}`,
          );
        },
      ),
    );
}

function addInviteList(group: Command): void {
  addCommand(group, 'list', {
    does: 'List the invitations, the newest first.',
    more: 'A link is shown only when it is created.',
    examples: [['invite list', 'all invitations with their uses']],
  }).action(
    withRun(async ({ context, out }) => {
      for (const { id, state, level, uses, most_uses, verifies, ...times } of await listInvitations(context)) {
        const created = timeText(times.created_at);
        const expires = timeText(times.expires_at);
        const until = `until ${time(times.expires_at)}`;
        await out.row(
          { id, state, plan: level, uses, most_uses, verified: verifies === 1, created, expires },
          cells([id, 8], [state, 8], [level, 8], [`${uses} of ${most_uses} used`, 14], [until, 0]),
        );
      }
    }),
  );
}

function addInviteRevoke(group: Command): void {
  addCommand(group, 'revoke', {
    does: 'Revoke an invitation; accounts that it made stay.',
    examples: [['invite revoke k3V9x2Qa', 'its link stops at once']],
  })
    .argument('<id>', "from 'invite list'")
    .action(
      withRun(async ({ context, actor, out }, id: string) => {
        const revoked = await revokeInvitation(context, actor, id);
        if (!revoked) throw new Failure('NOT_FOUND', `There is no invitation '${id}' that could be revoked.`);
        out.say({ id, revoked }, `The invitation ${id} is revoked.`);
      }),
    );
}

export function addOwnerLink(program: Command): void {
  addCommand(program, 'owner-link', {
    does: 'Print the link by which the first owner signs up.',
    more: 'It needs no code, gives the plan House, works once and for 24 hours, and only while there is no account.',
    examples: [['owner-link', 'prints the link that the first start printed, or a new one']],
  }).action(async (_options: unknown, command: Command) => {
    await using run = await openCommand(command, 'as it is', { patience: seconds(20) });
    const { out, context } = run;
    const found = await ownerLink(context);
    if (!found)
      throw new Refused(
        "There is an account already. 'holdfast account set-plan ADDRESS house' gives it the plan House.",
      );
    out.say(
      { link: found.link, expires: timeText(found.expiresAt) },
      `${found.link}\nIt works once, until ${time(found.expiresAt)}.`,
    );
  });
}
