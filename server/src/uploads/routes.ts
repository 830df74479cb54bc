import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import { errorCatalog, Failure } from '@holdfast/contract/src/errors.ts';
import { hasBetterOffer, offerName } from '@holdfast/contract/src/plans.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { Serve } from '../http/serve.ts';
import { readUploadKey } from './idempotency-key.ts';
import { upload } from './keep.ts';
import { listUnfinished } from './resumable/list.ts';

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
      throw isFull(error) && canBuyMore(context, caller) ? fullWithLargerPlans(error) : error;
    }
  });

  serve('getUnfinishedUploads', async ({ caller }) => ({
    uploads: await listUnfinished(context, caller.account.id),
  }));
}

const canBuyMore = ({ payments }: Context, { account }: Caller): boolean =>
  hasBetterOffer(payments.offers.map(offerName), account.level);

const isFull = (error: unknown): error is Failure =>
  error instanceof Failure && error.message === errorCatalog.UPLOAD_QUOTA_EXCEEDED.message;

const fullWithLargerPlans = (cause: Failure) =>
  new Failure('UPLOAD_QUOTA_EXCEEDED', 'Not enough space or slots. Delete files or get a larger plan.', { cause });
