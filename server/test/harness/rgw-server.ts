/** One S3 server for the duration of a test run; each test's server has a prefix of its own in its bucket. */
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { TestProject } from 'vitest/node';
import { startRgw } from '@holdfast/test-support/start-rgw.ts';

const bucket = 'holdfast';
const region = 'us-east-1';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using undo = new AsyncDisposableStack();
  const rgw = undo.use(await startRgw());
  Object.assign(process.env, rgw.credentials);
  const client = new S3Client({ region, endpoint: rgw.endpoint, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  project.provide('s3', { place: { bucket, endpoint: rgw.endpoint, region }, credentials: rgw.credentials });
  const opened = undo.move();
  return () => opened.disposeAsync();
}
