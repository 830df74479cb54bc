import { Failure } from '@holdfast/contract/src/errors.ts';
import {
  checksumAlgorithms,
  evictedHeader,
  evictedText,
  linkHeader,
  tusContentType,
  tusPath,
  tusVersion,
  unfinishedFor,
} from '@holdfast/contract/src/resumable.ts';
import type { Endpoint } from '@holdfast/contract/src/endpoints.ts';
import { tusEndpoints } from '@holdfast/contract/src/tus-endpoints.ts';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../accounts/identify.ts';
import type { Context } from '../../context.ts';
import { endSlowBody } from '../../http/body-deadlines.ts';
import type { EndpointCall, PlainResponse, ServePlain } from '../../http/serve.ts';
import type { UploadRow } from '../../storage/db/schema.ts';
import type { Stored } from '../insert.ts';
import { linkOf } from '../keep.ts';
import { appendBytes, type Checksum } from './append.ts';
import { completeUpload } from './complete.ts';
import { createUpload } from './create.ts';
import { removeUpload } from './remove.ts';
import { createTurns } from './turns.ts';

export function resumableRoutes(serve: ServePlain<Caller>, context: Context, scanSoon: () => void): void {
  const inTurn = createTurns(context.clock);

  const find = async ({ account }: Caller, id: string): Promise<UploadRow> => {
    const own = context.db.selectFrom('uploads').selectAll().where('id', '=', id);
    const row = await own.where('account_id', '=', account.id).executeTakeFirst();
    if (!row || row.changed_at < context.clock.now() - unfinishedFor) throw new Failure('UPLOAD_UNKNOWN');
    return row;
  };
  const expires = ({ changed_at: at }: UploadRow) => ({ 'Upload-Expires': new Date(at + unfinishedFor).toUTCString() });
  const complete = async (caller: Caller, row: UploadRow): Promise<Record<string, string>> => {
    const { file, evicted } = await completeUpload(context, caller, row);
    if (file.pending_scan === 1) scanSoon();
    return { [linkHeader]: linkOf(context, caller, file), ...(evicted && { [evictedHeader]: evictedText(evicted) }) };
  };
  const linkOfRow = async (caller: Caller, name: string): Promise<Record<string, string>> => {
    const file = await context.db
      .selectFrom('files')
      .select(['name', 'extension', 'pending_scan'])
      .where('name', '=', name)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return file ? { [linkHeader]: linkOf(context, caller, file satisfies Stored) } : {};
  };
  const append = (
    { caller, incoming, form }: Pick<EndpointCall<Endpoint, Caller>, 'caller' | 'incoming' | 'form'>,
    row: UploadRow,
  ): Promise<PlainResponse> =>
    inTurn(
      row.id,
      () => void (incoming.complete || incoming.destroy()),
      async ({ heard, received }) => {
        const current = await find(caller, row.id);
        if (current.file_name !== null || current.stored !== row.stored) throw new Failure('UPLOAD_OFFSET_WRONG');
        endSlowBody(incoming);
        form.invite();
        const checksum = readChecksum(incoming);
        const after = await appendBytes(context, caller, current, { incoming, checksum, heard });
        received();
        const link = after.stored === after.size ? await complete(caller, after) : expires(after);
        return { status: 204, headers: { 'Upload-Offset': String(after.stored), ...link } };
      },
    );

  serve(tusEndpoints.createUpload, async ({ caller, incoming, form }) => {
    refuseOtherVersion(incoming);
    const size = readCount(incoming, 'upload-length');
    if (size === null) throw new Failure('INVALID_INPUT', 'Send the size of the file as Upload-Length.');
    const {
      filename = '',
      modified,
      fingerprint = '',
      sha256,
      sha_256 = sha256,
    } = readMetadata(incoming.headers['upload-metadata']);
    const facts = {
      filename,
      size,
      sha256: readSha256(sha_256),
      modifiedAt: readTime(modified),
      fingerprint: /^\w{1,64}$/.test(fingerprint) ? fingerprint : null,
    };
    const row = await createUpload(context, caller, facts);
    const headers = { Location: `${tusPath}/${row.id}`, ...expires(row) };
    if (size === 0)
      return { status: 201, headers: { ...headers, 'Upload-Offset': '0', ...(await complete(caller, row)) } };
    if (incoming.headers['content-type'] !== tusContentType) return { status: 201, headers };
    const appended = await append({ caller, incoming, form }, row);
    return { status: 201, headers: { ...headers, ...appended.headers } };
  });

  serve(tusEndpoints.appendToUpload, async ({ caller, incoming, form, id }) => {
    refuseOtherVersion(incoming);
    if (incoming.headers['content-type'] !== tusContentType) throw new Failure('UNSUPPORTED_MEDIA_TYPE');
    const offset = readCount(incoming, 'upload-offset');
    if (offset === null) throw new Failure('INVALID_INPUT', 'Send Upload-Offset.');
    const row = await find(caller, id);
    if (row.stored !== offset) throw new Failure('UPLOAD_OFFSET_WRONG');
    return append({ caller, incoming, form }, row);
  });

  serve(tusEndpoints.readUpload, async ({ caller, incoming, id }) => {
    refuseOtherVersion(incoming);
    const row = await find(caller, id);
    // Its last request may have ended before it got a file.
    const isOpen = row.stored === row.size && row.file_name === null;
    const link = isOpen
      ? await inTurn(
          id,
          () => {},
          async () => {
            const current = await find(caller, id);
            return current.file_name === null ? complete(caller, current) : linkOfRow(caller, current.file_name);
          },
        )
      : row.file_name === null
        ? expires(row)
        : await linkOfRow(caller, row.file_name);
    const metadata = `filename ${Buffer.from(row.original_name).toString('base64')}`;
    const state = { 'Upload-Offset': String(row.stored), 'Upload-Length': String(row.size) };
    return { status: 200, headers: { ...state, 'Upload-Metadata': metadata, ...link } };
  });

  serve(tusEndpoints.removeUpload, async ({ caller, incoming, id }) => {
    refuseOtherVersion(incoming);
    await removeUpload(context, await find(caller, id));
    return { status: 204 };
  });
}

function refuseOtherVersion({ headers }: IncomingMessage): void {
  if (headers['tus-resumable'] !== tusVersion) throw new Failure('UPLOAD_VERSION_UNKNOWN');
}

function readCount({ headers }: IncomingMessage, name: 'upload-length' | 'upload-offset'): number | null {
  const text = headers[name];
  if (text === undefined) return null;
  const count = /^\d{1,16}$/.test(String(text)) ? Number(text) : NaN;
  if (!Number.isSafeInteger(count)) throw new Failure('INVALID_INPUT', `${name} must be a number of bytes.`);
  return count;
}

/** Pairs of a key and a value in base64, divided by commas. */
function readMetadata(header: string | readonly string[] | undefined): Partial<Record<string, string>> {
  const pairs = String(header ?? '').split(',');
  return Object.fromEntries(
    pairs
      .map((pair) => pair.trim().split(/ +/))
      .map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

function readSha256(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new Failure('UPLOAD_INVALID', "'sha_256' must be 64 hexadecimal digits.");
}

function readTime(text = ''): number | null {
  const at = /^\d{4}-.*Z$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : at;
}

function readChecksum({ headers }: IncomingMessage): Checksum | null {
  const header = headers['upload-checksum'];
  if (header === undefined) return null;
  const [name, value = ''] = String(header).split(' ');
  const algorithm = checksumAlgorithms.find((each) => each === name);
  if (!algorithm) throw new Failure('INVALID_INPUT', `Upload-Checksum must be of ${checksumAlgorithms.join(' or ')}.`);
  return { algorithm, digest: Buffer.from(value, 'base64') };
}
