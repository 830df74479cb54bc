import { uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import type { Endpoint } from '@holdfast/contract/src/endpoints.ts';
import { failureToReply } from '@holdfast/contract/src/envelope.ts';
import { errorCatalog, Failure } from '@holdfast/contract/src/errors.ts';
import { hasBetterOffer, offerName } from '@holdfast/contract/src/plans.ts';
import { uploadEndpoints } from '@holdfast/contract/src/upload-endpoints.ts';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import { deletionLink } from '../files/deletion-page.ts';
import { toFailure } from '../http/failures.ts';
import type { EndpointCall, Serve, ServePlain } from '../http/serve.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { storeBatch } from './batch.ts';
import { readUploadKey } from './idempotency-key.ts';
import { upload } from './keep.ts';
import { listUnfinished } from './resumable/list.ts';

type UploadCall = Pick<EndpointCall<Endpoint & { access: 'account' }, Caller>, 'caller' | 'client' | 'incoming'>;

export function uploadRoutes(
  { serve, servePlain }: { readonly serve: Serve<Caller>; readonly servePlain: ServePlain<Caller> },
  context: Context,
  scanSoon: () => void,
): void {
  const store = async (
    { caller, client, incoming }: UploadCall,
    parts: Parameters<typeof upload>[2],
    { key = keyOf(caller, incoming), formBytes = lengthOf(incoming) } = {},
  ) => {
    try {
      const { isPendingScan, ...stored } = await upload(context, caller, parts, {
        key,
        formBytes,
        gone: client.gone,
      });
      if (isPendingScan) scanSoon();
      return stored;
    } catch (error) {
      throw isFull(error) && canBuyMore(context, caller) ? fullWithLargerPlans(error) : error;
    }
  };

  const storeOne = async (call: UploadCall, parts: Parameters<typeof upload>[2]) => {
    const { name, url, evicted } = await store(call, parts);
    return { url, deletion_url: deletionLink(context, name), ...(evicted && { evicted }) };
  };

  serve('upload', (call) => storeOne(call, call.form.parts));

  servePlain(uploadEndpoints.putFile, async (call) => {
    const { id: name, query, form, incoming } = call;
    if (name.includes('/')) throw new Failure('UPLOAD_INVALID', 'The name of a file cannot contain a slash.');
    // curl sends a pipe without a name.
    const stored = await storeOne(call, form.ofBytes(name || '-', query));
    return /\bjson\b/.test(incoming.headers.accept ?? '')
      ? {
          status: 200,
          headers: { 'Content-Type': 'application/json; charset=utf-8' },
          body: JSON.stringify({ success: true, ...stored }),
        }
      : { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: `${stored.url}\n` };
  });

  servePlain(uploadEndpoints.uploadBatch, async (call, begin) => {
    const { form, client, caller, incoming } = call;
    const isHeldBack = isProxied(incoming);
    const lines = new PassThrough({ highWaterMark: isHeldBack ? Number.MAX_SAFE_INTEGER : mostUnreadBytes });
    const response = { status: 200, headers: { 'Content-Type': 'application/x-ndjson' }, body: lines };
    if (!isHeldBack) lines.once('readable', () => begin(response));
    const key = keyOf(caller, incoming);
    const toLine = (error: unknown) =>
      failureToReply(toFailure(error, { url: uploadEndpoints.uploadBatch.path }, context), false);
    try {
      await storeBatch(form.parts, {
        async store(parts, index) {
          const own = { key: key && sha256Hex(`${key}\n${index}`), formBytes: null };
          const { url, evicted } = await store(call, parts, own);
          return { url, ...(evicted && { evicted }) };
        },
        toLine,
        lines,
        gone: client.gone,
      });
    } catch (error) {
      if (lines.readableLength === 0 && !lines.readableDidRead) throw error;
      lines.write(`${JSON.stringify(toLine(error))}\n`);
    }
    lines.end();
    return response;
  });

  serve('getUnfinishedUploads', async ({ caller }) => ({
    uploads: await listUnfinished(context, caller.account.id),
  }));
}

/** A client may read its lines only after it has sent all files. */
const mostUnreadBytes = 256 * 1024;

/** A proxy may stop sending a body as soon as its response begins. */
const isProxied = ({ headers }: IncomingMessage): boolean =>
  ['x-forwarded-for', 'forwarded', 'via'].some((name) => headers[name] !== undefined);

const keyOf = ({ account }: Caller, { headers }: IncomingMessage): string | null =>
  readUploadKey(account.id, headers[uploadKeyHeader.toLowerCase()]);

function lengthOf({ headers }: IncomingMessage): number | null {
  const { 'content-length': length } = headers;
  return length === undefined ? null : Number(length);
}

const canBuyMore = ({ payments }: Context, { account }: Caller): boolean =>
  hasBetterOffer(payments.offers.map(offerName), account.level);

const isFull = (error: unknown): error is Failure =>
  error instanceof Failure && error.message === errorCatalog.UPLOAD_QUOTA_EXCEEDED.message;

const fullWithLargerPlans = (cause: Failure) =>
  new Failure('UPLOAD_QUOTA_EXCEEDED', 'Not enough space or slots. Delete files or get a larger plan.', { cause });
