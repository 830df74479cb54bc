import { type CompletedPart, CopyObjectCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3';
import type { S3 } from './client.ts';
import { inParts, newVersion } from './multipart.ts';

/** The S3 API copies no larger object at once. */
const largestAtOnce = 5 * 1024 ** 3;
const partOfCopy = 1024 ** 3;

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly size: number;
  readonly etag: string;
}

/**
 * Copies an object within the store, with a version of its own.
 * @throws {S3ServiceException} with status 412 if another object is at `from`.
 */
export async function copyObject(s3: S3, copy: Copy): Promise<void> {
  if (copy.size > largestAtOnce) return copyInParts(s3, copy);
  const { from, to, etag } = copy;
  const { ask, place } = s3;
  const command = new CopyObjectCommand({
    Bucket: place.bucket,
    Key: to,
    CopySource: sourceOf(s3, from),
    CopySourceIfMatch: etag,
    MetadataDirective: 'REPLACE',
    Metadata: newVersion(),
  });
  await ask((client, abortSignal) => client.send(command, { abortSignal }), 'transfer');
}

const sourceOf = ({ place }: S3, key: string) => encodeURI(`${place.bucket}/${key}`);

function copyInParts(s3: S3, { from, to, size, etag }: Copy): Promise<void> {
  return inParts(s3, to, async (upload) => {
    const parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += partOfCopy) {
      const PartNumber = parts.length + 1;
      const command = new UploadPartCopyCommand({
        ...upload,
        PartNumber,
        CopySource: sourceOf(s3, from),
        CopySourceIfMatch: etag,
        CopySourceRange: `bytes=${start}-${Math.min(start + partOfCopy, size) - 1}`,
      });
      const { CopyPartResult } = await s3.ask(
        (client, abortSignal) => client.send(command, { abortSignal }),
        'transfer',
      );
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    return parts;
  });
}
