import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListPartsCommand,
  type ListPartsCommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import type { ByteReader } from '../../../lib/byte-reader.ts';
import { type BlobId, BlobMissing, type BlobReader, type Unfinished, type UnfinishedBlobs } from '../blobs.ts';
import type { Filled } from '../fill-slab.ts';
import type { openWriteThreads, ThreadStream } from '../write-threads.ts';
import { ifMissing, longestWork, type S3 } from './client.ts';
import { fillPart, newVersion, partBytes, sendPart } from './write.ts';

/** A multipart upload, and the digest of its parts' tags: another process may have sent a part again. */
type Place = readonly [uploadId: string, tags: string];

/** @throws {BlobMissing} for a place in another kind of storage, from before a move. */
function placeOf({ id, place }: Pick<Unfinished, 'id' | 'place'>): Place {
  if (!place.startsWith('[')) throw new BlobMissing(id);
  return JSON.parse(place) as Place;
}

interface Hashed {
  readonly place: string;
  readonly size: number;
  readonly stream: ThreadStream;
}

interface Store {
  readonly s3: S3;
  readonly threads: ReturnType<typeof openWriteThreads>;
  readonly keyOf: (id: BlobId) => string;
  /** Of the bytes behind the last whole part. */
  readonly tailKeyOf: (id: BlobId, size: number) => string;
  readonly open: (id: BlobId, start: number, end: number) => Promise<BlobReader>;
}

/** One whose hash was dropped is read again in the end. */
const mostHashed = 100;

const withTag = (tags: string, tag: string | undefined) =>
  createHash('sha256').update(`${tags}${tag}`).digest('base64url');

export function openUnfinishedObjects({ s3, threads, keyOf, tailKeyOf, open }: Store): UnfinishedBlobs {
  const { bucket: Bucket, send } = s3;
  const hashes = new Map<BlobId, Hashed>();

  const removeTail = (id: BlobId, size: number) =>
    send(new DeleteObjectCommand({ Bucket, Key: tailKeyOf(id, size) })).catch(() => {});

  function takeHash({ id, place, size }: Unfinished): ThreadStream | null {
    const known = hashes.get(id);
    hashes.delete(id);
    if (known?.place === place && known.size === size) return known.stream;
    known?.stream[Symbol.dispose]();
    return size === 0 ? threads.stream({ each: true }) : null;
  }

  function keepHash({ id, place, size }: Unfinished, stream: ThreadStream): void {
    hashes.set(id, { place, size, stream });
    const [oldest] = hashes;
    if (hashes.size <= mostHashed || !oldest) return;
    hashes.delete(oldest[0]);
    oldest[1].stream[Symbol.dispose]();
  }

  /** The first bytes of a part may be hashed already. */
  async function hashPart({ slab, length }: Filled, hash: ThreadStream | null, hashed: number) {
    if (hash && hashed === 0) return hash.append(slab, length);
    await hash?.append(slab.slice(hashed, length), length - hashed);
    using ofPart = threads.stream({ algorithms: [], each: true });
    return await ofPart.append(slab, length);
  }

  async function readTail({ id, size }: Unfinished): Promise<Buffer> {
    if (size % partBytes === 0) return Buffer.alloc(0);
    const Key = tailKeyOf(id, size);
    const found = await send(new GetObjectCommand({ Bucket, Key }), longestWork).catch(ifMissing(null));
    const bytes = Buffer.from((await found?.Body?.transformToByteArray()) ?? []);
    if (bytes.length !== size % partBytes) throw new BlobMissing(id);
    return bytes;
  }

  async function listParts(id: BlobId, UploadId: string): Promise<readonly CompletedPart[] | null> {
    const parts: CompletedPart[] = [];
    for (let PartNumberMarker: string | undefined; ;) {
      const command = new ListPartsCommand({ Bucket, Key: keyOf(id), UploadId, PartNumberMarker });
      const page: ListPartsCommandOutput | null = await send(command).catch(ifMissing(null));
      if (!page) return null;
      parts.push(...(page.Parts ?? []).map(({ PartNumber, ETag }) => ({ PartNumber, ETag })));
      if (page.IsTruncated !== true) return parts;
      PartNumberMarker = page.NextPartNumberMarker;
    }
  }

  async function hashObject(id: BlobId, total: number): Promise<string> {
    using stream = threads.stream({});
    await using reader = await open(id, 0, total - 1);
    if (reader.size !== total) throw new BlobMissing(id);
    for (let slab: ArrayBuffer | undefined; ;) {
      const part = await fillPart(reader, slab);
      if (part.failure) throw part.failure.error;
      ({ slab } = await stream.append(part.slab, part.length));
      if (part.isLast) return (await stream.digests()).sha256;
    }
  }

  return {
    async begin(id) {
      const command = new CreateMultipartUploadCommand({ Bucket, Key: keyOf(id), Metadata: newVersion() });
      const place: Place = [(await send(command)).UploadId ?? '', ''];
      return JSON.stringify(place);
    },
    async append(unfinished, source, onStored) {
      const { id, total } = unfinished;
      const [UploadId, firstTags] = placeOf(unfinished);
      const Key = keyOf(id);
      let stored = unfinished;
      let tags = firstTags;
      const tail = await readTail(unfinished);
      const hash = takeHash(unfinished);
      let size = unfinished.size - tail.length;
      let isHashed = tail.length;
      const bytes = withFirst(tail, source);
      const note = async (to: number) => {
        const before = stored;
        stored = { id, place: JSON.stringify([UploadId, tags] satisfies Place), size: to, total };
        if ((await onStored(stored)) && before.size % partBytes !== 0) await removeTail(id, before.size);
      };
      let failure: { readonly error: unknown } | undefined;
      let spare: ArrayBuffer | undefined;
      try {
        while (!failure && size < total) {
          const part = await fillPart(bytes, spare);
          ({ failure } = part);
          const end = size + part.length;
          const { slab, sha256 } = await hashPart(part, hash, isHashed);
          isHashed = 0;
          const Body = s3.signedBy(sha256, Buffer.from(slab, 0, part.length));
          const isWhole = part.length === partBytes || end === total;
          if (isWhole) {
            const PartNumber = Math.floor(size / partBytes) + 1;
            const { ETag } = await sendPart(s3, { Bucket, Key, UploadId, PartNumber, Body });
            tags = withTag(tags, ETag);
          } else if (end > stored.size) {
            await send(new PutObjectCommand({ Bucket, Key: tailKeyOf(id, end), Body }), longestWork);
          }
          if (end > stored.size) await note(end);
          size = end;
          spare = slab;
          if (!isWhole) break;
        }
      } catch (error) {
        hash?.[Symbol.dispose]();
        throw error;
      }
      if (hash) keepHash(stored, hash);
      if (failure) throw failure.error;
    },
    async finish(unfinished) {
      const { id, total } = unfinished;
      const [UploadId, tags] = placeOf(unfinished);
      const parts = await listParts(id, UploadId);
      if (parts) {
        if (parts.reduce((all, { ETag }) => withTag(all, ETag), '') !== tags) throw new BlobMissing(id);
        const MultipartUpload = { Parts: [...parts] };
        const command = new CompleteMultipartUploadCommand({ Bucket, Key: keyOf(id), UploadId, MultipartUpload });
        await send(command, longestWork);
      }
      using hash = takeHash(unfinished);
      const sha256 = hash ? (await hash.digests()).sha256 : await hashObject(id, total);
      return { size: total, sha256 };
    },
    async discard(unfinished) {
      const { id, size } = unfinished;
      hashes.get(id)?.stream[Symbol.dispose]();
      hashes.delete(id);
      const [UploadId] = placeOf(unfinished);
      await send(new AbortMultipartUploadCommand({ Bucket, Key: keyOf(id), UploadId })).catch(ifMissing(null));
      if (size % partBytes !== 0) await removeTail(id, size);
    },
  };
}

function withFirst(first: Buffer, rest: ByteReader): ByteReader {
  let left = first;
  return {
    async read(into) {
      if (left.length === 0) return rest.read(into);
      const count = left.copy(into);
      left = left.subarray(count);
      return count;
    },
  };
}
