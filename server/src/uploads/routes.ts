import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import type { Endpoint } from '@holdfast/contract/src/endpoints.ts';
import { errorCatalog, Failure } from '@holdfast/contract/src/errors.ts';
import { hasBetterOffer, offerName } from '@holdfast/contract/src/plans.ts';
import { uploadEndpoints } from '@holdfast/contract/src/upload-endpoints.ts';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { EndpointCall, Serve, ServePlain } from '../http/serve.ts';
import { readUploadKey } from './idempotency-key.ts';
import { upload } from './keep.ts';
import { listUnfinished } from './resumable/list.ts';

type UploadCall = Pick<EndpointCall<Endpoint & { access: 'account' }, Caller>, 'caller' | 'client' | 'incoming'>;

export function uploadRoutes(
  { serve, servePlain }: { readonly serve: Serve<Caller>; readonly servePlain: ServePlain<Caller> },
  context: Context,
  scanSoon: () => void,
): void {
  const store = async ({ caller, client, incoming }: UploadCall, parts: Parameters<typeof upload>[2]) => {
    const { id } = caller.account;
    const length = incoming.headers['content-length'];
    const formBytes = length === undefined ? null : Number(length);
    const key = readUploadKey(id, incoming.headers[uploadKeyHeader.toLowerCase()]);
    try {
      const { url, isPendingScan, evicted } = await upload(context, caller, parts, {
        key,
        formBytes,
        gone: client.gone,
      });
      if (isPendingScan) scanSoon();
      return { url, ...(evicted && { evicted }) };
    } catch (error) {
      throw isFull(error) && canBuyMore(context, caller) ? fullWithLargerPlans(error) : error;
    }
  };

  serve('upload', (call) => store(call, call.form.parts));

  servePlain(uploadEndpoints.putFile, async (call) => {
    const { id: name, query, form, incoming } = call;
    if (name.includes('/')) throw new Failure('UPLOAD_INVALID', 'The name of a file cannot contain a slash.');
    // curl sends a pipe without a name.
    const stored = await store(call, form.ofBytes(name || '-', query));
    return /\bjson\b/.test(incoming.headers.accept ?? '')
      ? {
          status: 200,
          headers: { 'Content-Type': 'application/json; charset=utf-8' },
          body: JSON.stringify({ success: true, ...stored }),
        }
      : { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: `${stored.url}\n` };
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
