import { invitationLink, verifiedAccounts } from '../accounts/invitations.ts';
import type { Context } from '../context.ts';
import type { Database } from '../storage/db/database.ts';
import { hours } from '../lib/clock.ts';
import { deriveKey, sha256Hex } from '../lib/derive-key.ts';

const ownerLinkValidFor = hours(24);
const ownerId = 'owner';

/**
 * Returns the link by which the first owner signs up: on House, and without a code. It works once, for a day, and only
 * while nobody has an account. The token follows from the secret key and the time, so every process of the service
 * returns the same link; after a change of the secret key, it is a new one. Returns null if there is an account.
 */
export async function ownerLink(
  context: Pick<Context, 'db' | 'clock' | 'secret' | 'origins'>,
): Promise<{ readonly link: string; readonly expiresAt: number } | null> {
  const { db, clock, secret } = context;
  if (await verifiedAccounts(db).executeTakeFirst()) return null;
  const now = clock.now();
  const tokenAt = (time: number) => deriveKey(secret, `owner link ${time}`).toString('base64url').slice(0, 32);
  const fresh = {
    token_hash: sha256Hex(tokenAt(now)),
    for_owner: 1,
    verifies: 1,
    level: 'house',
    uses: 0,
    most_uses: 1,
    created_at: now,
    expires_at: now + ownerLinkValidFor,
  } as const;
  const stored = await storedLink(db).executeTakeFirst();
  // With another secret key than now, nobody can compute the token again.
  const lostHash = stored && stored.token_hash !== sha256Hex(tokenAt(stored.created_at)) ? stored.token_hash : '';
  await db
    .insertInto('invitations')
    .values({ id: ownerId, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(fresh)
        .where((eb) =>
          eb.or([
            eb('invitations.expires_at', '<=', now),
            eb('invitations.uses', '>', 0),
            eb('invitations.token_hash', '=', lostHash),
          ]),
        ),
    )
    .execute();
  const { created_at, expires_at } = await storedLink(db).executeTakeFirstOrThrow();
  return { link: invitationLink(context, tokenAt(created_at)), expiresAt: expires_at };
}

const storedLink = (db: Database) =>
  db.selectFrom('invitations').select(['token_hash', 'created_at', 'expires_at']).where('id', '=', ownerId);
