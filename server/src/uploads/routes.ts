import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { Serve } from '../http/serve.ts';
import { readUploadKey } from './idempotency-key.ts';
import { upload } from './keep.ts';

export function uploadRoutes(serve: Serve<Caller>, context: Context, scanSoon: () => void): void {
  serve('upload', async ({ caller, client, incoming, form }) => {
    const { id } = caller.account;
    const length = incoming.headers['content-length'];
    const formBytes = length === undefined ? null : Number(length);
    const key = readUploadKey(id, incoming.headers[uploadKeyHeader.toLowerCase()]);
    try {
      const { url, isPendingScan, evicted } = await upload(context, caller, form.parts, {
        key,
        formBytes,
        gone: client.gone,
      });
      if (isPendingScan) scanSoon();
      return { url, ...(evicted && { evicted }) };
    } catch (error) {
      throw isFull(error) && !context.config.site.pricing ? fullWithoutPlans(error) : error;
    }
  });
}

const isFull = (error: unknown): error is Failure => error instanceof Failure && error.code === 'UPLOAD_QUOTA_EXCEEDED';

/** On a site that sells no plans, only the operator can give an account more space. */
const fullWithoutPlans = (cause: Failure) =>
  new Failure(
    'UPLOAD_QUOTA_EXCEEDED',
    'Not enough space or slots. Delete files, or ask the administrator for more space.',
    {
      cause,
    },
  );
