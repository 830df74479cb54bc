/**
 * Prepares the service in a throwaway machine, as a page of the documentation takes it for granted. Prints the API key of
 * ada@example.com.
 *
 *   node prepare-machine.ts library ORIGIN    the account of Ada, and her file q7Rt2mXa.zip in it
 *   node prepare-machine.ts waiting ORIGIN    two accounts that wait for approval
 *   node prepare-machine.ts keys-in-forms     Ada allows her key in forms
 */
import { pino } from 'pino';
import { readConfig } from '@holdfast/server/src/config/config.ts';
import { readSettingsFile } from '@holdfast/server/src/config/settings-file.ts';
import { type Context, openContext } from '@holdfast/server/src/context.ts';
import { type SignedIn, signUpAndIn } from '../../server/test/harness/accounts.ts';
import { formWith, sendForm, storedNameOf } from '../../server/test/harness/uploads.ts';

const [what, url = ''] = process.argv.slice(2);
await using context = await openContext(readConfig(readSettingsFile()), pino({ enabled: false }));
if (what === 'waiting') await addWaiting(context);
else if (what === 'keys-in-forms') await context.db.updateTable('accounts').set({ key_in_form: 1 }).execute();
else await addLibrary(context);

async function addLibrary(opened: Context): Promise<void> {
  const ada = await newAccount(opened, 'ada@example.com');
  const answer = await sendForm({ url }, ada, formWith('hello', 'My Pack.zip'));
  if (!answer.success) throw new Error(answer.error);
  await opened.db.updateTable('files').set({ name: 'q7Rt2mXa' }).where('name', '=', storedNameOf(answer.url)).execute();
  console.log(ada.apiKey);
}

async function addWaiting(opened: Context): Promise<void> {
  const waiting = { verified_at: null, needs_approval: 1, asked_at: opened.clock.now() } as const;
  for (const email of ['bob@example.com', 'eve@example.com']) {
    await newAccount(opened, email);
    await opened.db.updateTable('accounts').set(waiting).where('email', '=', email).execute();
  }
}

function newAccount(opened: Context, email: string): Promise<SignedIn> {
  const mail = { newestSecretFor: () => Promise.reject(new Error('no email is sent')) };
  return signUpAndIn({ url, context: opened, mail }, { email, plan: 'power' });
}
