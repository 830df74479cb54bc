import {
  type CompletedPart,
  PutObjectCommand,
  UploadPartCommand,
  type UploadPartCommandInput,
} from '@aws-sdk/client-s3';
import { once } from 'node:events';
import type { ByteReader } from '../../../lib/byte-reader.ts';
import { seconds } from '../../../lib/clock.ts';
import { BlobsUnavailable, StorageFull, type WrittenBytes } from '../blobs.ts';
import type { S3 } from './client.ts';
import { inParts, type MultipartUpload, newVersion } from './multipart.ts';
import type { PartDigests, PartDigestThread } from './part-digests.ts';
import { mostParts, type Part, type PartSlabs } from './parts.ts';

/** An upload does not end because the store restarts: its client waits, and the part that was on its way is sent again. */
const longestOutage = seconds(30);
const mostTries = 4;

interface WriterParts {
  readonly s3: S3;
  readonly slabs: PartSlabs;
  readonly digests: PartDigestThread;
}

export interface WriteRules {
  /** Is called before the object takes its place. */
  readonly accept?: (written: WrittenBytes) => void;
  /** Is called if parts stay in the store, because it is away when they have to be removed. */
  readonly onLeft: () => void;
}

export interface ObjectWriter {
  /**
   * Writes all bytes of `source` to a key.
   * @throws the error of `source` or of `accept`. Then there is no new object at the key, and no part of one unless
   * `onLeft` was called.
   * @throws {BlobsUnavailable}, {StorageFull} Then it is unknown whether there is an object or a part of one.
   */
  write(key: string, source: ByteReader, rules: WriteRules): Promise<WrittenBytes>;
}

export function createObjectWriter({ s3, slabs, digests }: WriterParts): ObjectWriter {
  return {
    async write(key, source, rules) {
      const first = await slabs.fill(source, false);
      using digest = digests.start();
      if (!first.isLast) return await sendInParts(s3, slabs, { key, source, first, digest, rules });
      const { slab, sha256 } = await digest.add(first.slab, first.length, true);
      const written = { size: first.length, sha256 };
      rules.accept?.(written);
      await put(s3, key, Buffer.from(slab, 0, first.length), sha256);
      slabs.giveBack(slab);
      return written;
    },
  };
}

async function put({ ask, place, signedBy }: S3, key: string, bytes: Buffer, sha256: string): Promise<void> {
  const Body = signedBy(sha256, bytes);
  const command = new PutObjectCommand({ Bucket: place.bucket, Key: key, Body, Metadata: newVersion() });
  await ask((client, abortSignal) => client.send(command, { abortSignal }), 'transfer');
}

interface Sending {
  readonly key: string;
  readonly source: ByteReader;
  readonly first: Part;
  readonly digest: PartDigests;
  readonly rules: WriteRules;
}

async function sendInParts(s3: S3, slabs: PartSlabs, { key, source, first, digest, rules }: Sending) {
  let size = 0;
  let sha256 = '';
  const send = async (upload: MultipartUpload): Promise<CompletedPart[]> => {
    const sent: Promise<CompletedPart>[] = [];
    const failed = new AbortController();
    try {
      for (let part = first; ; part = await slabs.fill(source, true)) {
        size += part.length;
        const hashed = await digest.add(part.slab, part.length, false);
        // One part is on its way while the next one arrives.
        await sent.at(-1);
        if (sent.length === mostParts) throw new StorageFull(new Error(`An object has at most ${mostParts} parts`));
        const bytes = s3.signedBy(hashed.sha256, Buffer.from(hashed.slab, 0, part.length));
        const sending = sendPart(s3, { ...upload, PartNumber: sent.length + 1, Body: bytes }, failed.signal);
        sending.then(() => slabs.giveBack(hashed.slab)).catch(() => {});
        sent.push(sending);
        if (part.isLast) break;
      }
      const parts = await Promise.all(sent);
      sha256 = await digest.ofAll();
      rules.accept?.({ size, sha256 });
      return parts;
    } catch (error) {
      failed.abort();
      // A part that arrives after the others were removed would stay.
      await Promise.allSettled(sent);
      throw error;
    }
  };
  await inParts(s3, key, send, rules.onLeft);
  return { size, sha256 };
}

async function sendPart(s3: S3, part: UploadPartCommandInput, failed: AbortSignal): Promise<CompletedPart> {
  for (let tries = 1; ; tries += 1)
    try {
      const command = new UploadPartCommand(part);
      const { ETag } = await s3.ask((client, abortSignal) => client.send(command, { abortSignal }), 'transfer');
      return { PartNumber: part.PartNumber, ETag };
    } catch (error) {
      if (!(error instanceof BlobsUnavailable) || tries === mostTries || failed.aborted) throw error;
      await Promise.race([s3.untilBack(longestOutage), once(failed, 'abort')]);
      if (failed.aborted) throw error;
    }
}
