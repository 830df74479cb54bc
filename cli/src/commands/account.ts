import type { Command } from 'commander';
import { addAccountDelete } from './account-delete.ts';
import { addAccountForgetPayments } from './account-forget-payments.ts';
import { addAccountList } from './account-list.ts';
import { addAccountSetPlan } from './account-set-plan.ts';
import { addAccountShow } from './account-show.ts';
import { addAccountVerify } from './account-verify.ts';

export function addAccount(program: Command): void {
  const group = program.command('account').description('List, show and change accounts.');
  for (const add of [
    addAccountList,
    addAccountShow,
    addAccountSetPlan,
    addAccountVerify,
    addAccountDelete,
    addAccountForgetPayments,
  ])
    add(group);
}
