import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Config } from '../../src/config/config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    s3: {
      readonly place: { readonly bucket: string; readonly endpoint: string; readonly region: string };
      readonly credentials: Readonly<Record<string, string>>;
    };
  }
}

/** Some tests are about files on a disk, or about what an S3 store cannot tell; each gives its reason. */
export const bytesAreOnS3: boolean = process.env['TEST_BLOBS'] === 's3';

/** Bytes of an upload of which some are stored before the rest arrives. */
export const moreThanOneSlab: number = bytesAreOnS3 ? 8_500_000 : 1_100_000;

/** The settings of an empty storage on the engine of this project of the test run. */
export function newTestBlobs(): Readonly<Record<string, string>> {
  if (!bytesAreOnS3) return {};
  const { place, credentials } = inject('s3');
  // The SDK reads them from the environment of the process.
  Object.assign(process.env, credentials);
  return blobSettings({ engine: 's3', prefix: `${randomBytes(8).toString('hex')}/`, ...place });
}

/** The settings of another process on the same storage; a disk store is in its data folder. */
export function blobSettings(blobs: Config['blobs']): Readonly<Record<string, string>> {
  if (blobs.engine === 'disk') return {};
  const asked = new URLSearchParams({
    region: blobs.region,
    ...(blobs.endpoint !== null && { endpoint: blobs.endpoint }),
  });
  return {
    BLOBS_URL: `s3://${blobs.bucket}/${blobs.prefix}?${asked.toString()}`,
    AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  };
}
