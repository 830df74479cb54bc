/** Invitations in backups, and their uses in the list of deletions. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { days } from '../../src/lib/clock.ts';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { makeBackup } from '../../src/operator/backup/make-backup.ts';
import { restoreBackup } from '../../src/operator/backup/restore-backup.ts';
import { createInvitation, listInvitations, revokeInvitation } from '../../src/operator/invitations.ts';
import { ownerLink } from '../../src/operator/owner-link.ts';
import { goodPassword, newEmail, signUpAndIn } from '../harness/accounts.ts';
import { openBrowser } from '../harness/browser.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';

const { signal } = new AbortController();
const actor = { operator: 'ada', action: 'test' };
const settings = { SIGN_UP: 'invite', SECRET_KEY: 'the same secret key on both servers' };

const tokenOf = (link: string) => new URL(link).hash.replace('#invitation=', '');

async function invite({ context, clock }: TestServer, mostUses: number) {
  const expiresAt = clock.now() + days(7);
  const options = { level: 'basic', mostUses, verifies: false, expiresAt } as const;
  const { id, link } = await createInvitation(context, actor, options);
  return { id, token: tokenOf(link) };
}

/** Signs up, and returns what the server said. */
async function signUp(server: TestServer, invitation: string, email = newEmail()): Promise<string> {
  const body = { email, password: goodPassword, password2: goodPassword, invitation };
  return openBrowser(server)
    .client.createAccount({ body })
    .then(
      () => 'code sent',
      (error: unknown) => String((error as { code?: string }).code),
    );
}

async function takeBackup({ context }: TestServer): Promise<string> {
  const folder = join(await newFolder(), 'monday');
  await makeBackup(context, folder, { signal });
  return folder;
}

const restoreInto = ({ context }: TestServer, folder: string) => restoreBackup(context, folder, { actor, signal });

const stateIn = async ({ context }: TestServer, id: string) => {
  const found = (await listInvitations(context)).find((each) => each.id === id);
  return found && [found.state, found.uses];
};

test('an open invitation works after a restore, for as many accounts as it has uses left', async () => {
  await using server = await startServer(settings);
  const { id, token } = await invite(server, 2);
  expect(await signUp(server, token)).toBe('code sent');
  const backup = await takeBackup(server);
  // The server makes the link of its first owner before it is restored into.
  await using second = await startServer(settings);
  await ownerLink(second.context);
  await restoreInto(second, backup);
  expect(await listInvitations(second.context)).toEqual(await listInvitations(server.context));
  expect(await signUp(second, token)).toBe('code sent');
  expect(await stateIn(second, id)).toEqual(['used up', 2]);
  expect(await signUp(second, token)).toBe('INVITATION_INVALID');
  // An account of the backup that is never verified gives its use back.
  second.clock.advance(days(8));
  await second.runJob('delete-unverified');
  expect(await stateIn(second, id)).toEqual(['expired', 0]);
});

test('uses and revocations after the backup are repeated, and an invitation made since works', async () => {
  await using server = await startServer(settings);
  const [used, revoked, untouched] = [await invite(server, 1), await invite(server, 1), await invite(server, 1)];
  const backup = await takeBackup(server);
  expect(await signUp(server, used.token)).toBe('code sent');
  await revokeInvitation(server.context, actor, revoked.id);
  const late = await invite(server, 1);
  await writeDeletions(server.context, backup);
  await using second = await startServer(settings);
  expect(await restoreInto(second, backup)).toMatchObject({ deletions: 3 });
  // The account is lost, but its use is not.
  expect(await stateIn(second, used.id)).toEqual(['used up', 1]);
  expect(await signUp(second, used.token)).toBe('INVITATION_INVALID');
  expect(await signUp(second, revoked.token)).toBe('INVITATION_INVALID');
  expect(await signUp(second, untouched.token)).toBe('code sent');
  expect(await signUp(second, late.token)).toBe('code sent');
});

test('an account of the backup that took an invitation since gives the use back when it is never verified', async () => {
  await using server = await startServer({ ...settings, SIGN_UP: 'open' });
  const { id, token } = await invite(server, 1);
  const email = newEmail();
  const body = { email, password: goodPassword, password2: goodPassword };
  await openBrowser(server).client.createAccount({ body });
  const backup = await takeBackup(server);
  server.clock.advance(1);
  expect(await signUp(server, token, email)).toBe('code sent');
  await writeDeletions(server.context, backup);
  await using second = await startServer(settings);
  await restoreInto(second, backup);
  expect(await stateIn(second, id)).toEqual(['used up', 1]);
  second.clock.advance(days(8));
  await second.runJob('delete-unverified');
  expect(await stateIn(second, id)).toEqual(['expired', 0]);
});

test('the link of the first owner stays with its installation', async () => {
  await using server = await startServer(settings);
  const first = await ownerLink(server.context);
  const backup = await takeBackup(server);
  await writeDeletions(server.context, backup);
  await using second = await startServer({ SIGN_UP: 'invite' });
  const own = await ownerLink(second.context);
  const { deletions, manifest } = await restoreInto(second, backup);
  expect([deletions, manifest.tables['invitations']?.rows]).toEqual([0, 0]);
  expect(await ownerLink(second.context)).toEqual(own);
  expect(await signUp(second, tokenOf(first?.link ?? ''))).toBe('INVITATION_INVALID');
});

test('a backup of an earlier version, which has no invitations, can be restored', async () => {
  await using server = await startServer(settings);
  await signUpAndIn(server);
  const backup = await takeBackup(server);
  const path = join(backup, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { tables: Record<string, unknown> };
  delete manifest.tables['invitations'];
  await writeFile(path, JSON.stringify(manifest));
  await rm(join(backup, 'invitations.jsonl.gz'));
  await using second = await startServer(settings);
  await restoreInto(second, backup);
  expect(await second.context.db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
});
