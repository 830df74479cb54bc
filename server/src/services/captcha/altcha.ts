import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import type { Challenge, Payload } from 'altcha-lib/types';
import * as z from 'zod/mini';
import { type Clock, minutes } from '../../lib/clock.ts';
import { sha256Hex } from '../../lib/derive-key.ts';
import type { Database } from '../../storage/db/database.ts';
import type { Captcha } from './captcha.ts';

const validFor = minutes(10);

interface AltchaOptions {
  readonly secret: string;
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly difficulty: number;
}

export function openAltcha({ secret, db, clock, difficulty }: AltchaOptions): Captcha {
  const keyPrefix = '0'.repeat(difficulty);
  return {
    async challenge(action) {
      const challenge = await createChallenge({
        algorithm: 'SHA-256',
        cost: 1,
        keyPrefix,
        deriveKey,
        // The library compares its own `expiresAt` with the clock of this machine.
        data: { action, until: clock.now() + validFor },
        hmacSignatureSecret: secret,
      });
      return { kind: 'altcha', challenge: { ...challenge } };
    },
    async check(token, action) {
      const payload = readToken(token);
      if (!payload) return false;
      const { challenge, solution } = payload;
      if (challenge.parameters.keyPrefix !== keyPrefix) return false;
      if (challenge.parameters.data?.['action'] !== action) return false;
      if (untilOf(challenge) <= clock.now()) return false;
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: secret });
      return verified && spend(db, challenge);
    },
  };
}

const tokenShape = z.object({
  challenge: z.looseObject({
    parameters: z.looseObject({
      algorithm: z.literal('SHA-256'),
      cost: z.literal(1),
      keyPrefix: z.string(),
      data: z.object({ action: z.string(), until: z.int() }),
      nonce: z.string(),
      salt: z.string(),
    }),
    signature: z.string(),
  }),
  solution: z.looseObject({ counter: z.int().check(z.nonnegative(), z.maximum(0xffff_ffff)), derivedKey: z.string() }),
});

function readToken(token: string | undefined): Payload | null {
  try {
    return tokenShape.parse(JSON.parse(Buffer.from(token ?? '', 'base64').toString())) as unknown as Payload;
  } catch {
    return null;
  }
}

const untilOf = ({ parameters }: Challenge) => Number(parameters.data?.['until']);

async function spend(db: Database, challenge: Challenge): Promise<boolean> {
  const spent = await db
    .insertInto('spent_challenges')
    .values({
      id: sha256Hex(JSON.stringify([challenge.parameters.nonce, challenge.parameters.salt])),
      expires_at: untilOf(challenge),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return Number(spent.numInsertedOrUpdatedRows ?? 0) === 1;
}
