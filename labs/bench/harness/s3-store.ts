import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startRgw } from '@holdfast/test-support/start-rgw.ts';

interface S3Store extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  /** For the server: a prefix of its own. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Ceph's radosgw, which keeps everything in memory. Other processes get its credentials from the environment. */
export async function startS3Store(): Promise<S3Store> {
  await using undo = new AsyncDisposableStack();
  const { endpoint, credentials } = undo.use(await startRgw());
  const bucket = 'bench';
  Object.assign(process.env, credentials);
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  const settings = { BLOBS_URL: `s3://${bucket}/ours?endpoint=${encodeURIComponent(endpoint)}` };
  const opened = undo.move();
  return { endpoint, bucket, settings, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
