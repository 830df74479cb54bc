import type { Transaction } from './database.ts';
import { allowChangesToActions, refuseChangesToActions } from './refuse-changes-to-actions.ts';

/** Entries are kept forever, so they name accounts by ids, which say nothing once an account is erased. */
export async function nameAccountsById(tx: Transaction): Promise<void> {
  const entries = await tx
    .selectFrom('operator_actions')
    .select(['id', 'subject', 'details'])
    .where((eb) => eb.or([eb('action', 'like', 'account %'), eb('action', '=', 'file restore')]))
    .execute();
  await allowChangesToActions(tx);
  for (const { id, ...entry } of entries) {
    const details = JSON.parse(entry.details) as { readonly account?: unknown };
    const subject = await nameOf(tx, id, entry.subject);
    const account = typeof details.account === 'string' ? await nameOf(tx, id, details.account) : details.account;
    if (subject === entry.subject && account === details.account) continue;
    const named = JSON.stringify({ ...details, account });
    await tx.updateTable('operator_actions').set({ subject, details: named }).where('id', '=', id).execute();
  }
  await refuseChangesToActions(tx);
}

const timeIn = (id: string) => id.slice(0, 8);

async function nameOf(tx: Transaction, entryId: string, text: string): Promise<string> {
  if (!text.includes('@')) return text;
  const accounts = await tx
    .selectFrom('accounts')
    .select('id')
    .where('email_key', '=', text.toLowerCase())
    .orderBy('id', 'desc')
    .execute();
  // Somebody else may have signed up with the address since.
  return accounts.find(({ id }) => timeIn(id) <= timeIn(entryId))?.id ?? 'erased';
}
