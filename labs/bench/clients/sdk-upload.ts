/** Uploads a file by the SDK of AWS alone, one part while the next is read: `{ endpoint, bucket, path }` → `{ seconds }`. */
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { open } from 'node:fs/promises';

interface Orders {
  readonly endpoint: string;
  readonly bucket: string;
  readonly path: string;
}

const { endpoint, bucket, path } = JSON.parse(process.argv[2] ?? '') as Orders;
/** As in ours. */
const partBytes = 5 * 1024 * 1024;
const client = new S3Client({
  region: 'us-east-1',
  endpoint,
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
});
const start = performance.now();
const target = { Bucket: bucket, Key: 'alone' };
const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
const sent: Promise<CompletedPart>[] = [];
await using file = await open(path);
for (let isLast = false; !isLast;) {
  const slab = Buffer.allocUnsafe(partBytes);
  const { bytesRead } = await file.read(slab, 0, partBytes, sent.length * partBytes);
  isLast = bytesRead < partBytes;
  await sent.at(-1);
  if (bytesRead > 0) sent.push(send(sent.length + 1, slab.subarray(0, bytesRead)));
}
const MultipartUpload = { Parts: await Promise.all(sent) };
await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload }));
console.log(JSON.stringify({ seconds: (performance.now() - start) / 1000 }));
client.destroy();

async function send(PartNumber: number, Body: Buffer): Promise<CompletedPart> {
  const { ETag } = await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber, Body }));
  return { PartNumber, ETag };
}
