/** The bytes in a server's storage, seen and damaged behind its back, on either engine. */
import type { S3Client } from '@aws-sdk/client-s3';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import type { BlobStore, StoredBlob } from '../../src/storage/blobs/blobs.ts';
import type { TestServer } from './start-server.ts';

/** A server, or a place that has its settings. */
type Stored = { readonly context: Pick<TestServer['context'], 'config'> };

/** One stored byte string. Damage that keeps its place keeps its version too, as on a disk that fails. */
export interface StoredBytes {
  readonly name: string;
  read(): Promise<Buffer>;
  write(bytes: Buffer): Promise<void>;
  remove(): Promise<void>;
}

/** Names of every stored byte string: in place, half written or set aside as damaged. */
export async function storedNames(server: Stored): Promise<string[]> {
  return (await everything(server)).map(({ name }) => name);
}

/** Returns the stored bytes of a blob. */
export async function storedNamed(server: Stored, name: string): Promise<StoredBytes> {
  const found = (await everything(server)).find((bytes) => bytes.name === name);
  if (!found) throw new Error(`nothing is stored as ${name}`);
  return found;
}

export async function onlyStored(server: Stored): Promise<StoredBytes> {
  const [bytes, ...others] = await everything(server);
  if (bytes === undefined || others.length > 0) throw new Error('the storage has to hold one blob');
  return bytes;
}

/** Simulates a disk that loses a bit: the size does not change. */
export async function flipByte(stored: StoredBytes): Promise<void> {
  const bytes = await stored.read();
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await stored.write(bytes);
}

/** Cuts bytes, or adds zeros to them. */
export async function resize(stored: StoredBytes, size: number): Promise<void> {
  await stored.write(Buffer.concat([await stored.read(), Buffer.alloc(size)]).subarray(0, size));
}

/** Makes stored bytes older: the storage has its own clock, which a test cannot control. */
export async function ageBytes(server: TestServer, ms: number): Promise<void> {
  if (server.context.config.blobs.engine === 's3') return ageInList(server.context.blobs, ms);
  for (const path of await pathsOnDisk(server)) {
    const written = (await stat(path)).mtimeMs;
    await utimes(path, (written - ms) / 1000, (written - ms) / 1000);
  }
}

/** An S3 store tells when it received an object, and nobody can change that; only its list is read for it. */
async function ageInList(blobs: BlobStore, ms: number): Promise<void> {
  const list = blobs.list.bind(blobs);
  const old = new Map<string, number>();
  for await (const { id, storedAt } of list()) old.set(id, storedAt);
  async function* aged(after?: StoredBlob['id']) {
    for await (const blob of list(after)) {
      yield old.get(blob.id) === blob.storedAt ? { ...blob, storedAt: blob.storedAt - ms } : blob;
    }
  }
  Object.assign(blobs, { list: aged });
}

async function everything(server: Stored): Promise<StoredBytes[]> {
  const { blobs } = server.context.config;
  return blobs.engine === 's3' ? inBucket(blobs) : (await pathsOnDisk(server)).map(onDisk);
}

/** Paths of all bytes on the disk. */
async function pathsOnDisk({ context: { config } }: Stored): Promise<string[]> {
  const entries = await readdir(blobFolder(config), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'service-id' && !entry.name.endsWith('.lock'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

function blobFolder({ blobs }: Config): string {
  if (blobs.engine !== 'disk') throw new Error('the bytes are not on the disk');
  return blobs.folder;
}

function onDisk(path: string): StoredBytes {
  return {
    name: basename(path),
    read: () => readFile(path),
    async write(bytes) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    },
    remove: () => rm(path),
  };
}

type S3Blobs = Extract<Config['blobs'], { engine: 's3' }>;

async function inBucket({ bucket, prefix, endpoint, region }: S3Blobs): Promise<StoredBytes[]> {
  const s3 = await import('@aws-sdk/client-s3');
  const client: S3Client = new s3.S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const listing = { Bucket: bucket, Prefix: prefix };
  const { Contents = [] } = await client.send(new s3.ListObjectsV2Command(listing));
  const { Uploads = [] } = await client.send(new s3.ListMultipartUploadsCommand(listing));
  const keys = [...Contents, ...Uploads].map(({ Key = '' }) => Key).filter((key) => !key.endsWith('/service-id'));
  return keys.map((Key) => {
    const place = { Bucket: bucket, Key };
    const read = async () => {
      const { Body, Metadata } = await client.send(new s3.GetObjectCommand(place));
      return { bytes: Buffer.from((await Body?.transformToByteArray()) ?? []), Metadata };
    };
    let metadata: Record<string, string> | undefined;
    return {
      name: basename(Key),
      async read() {
        const found = await read();
        metadata = found.Metadata;
        return found.bytes;
      },
      async write(bytes) {
        metadata ??= (await read()).Metadata;
        await client.send(new s3.PutObjectCommand({ ...place, Body: bytes, Metadata: metadata }));
      },
      async remove() {
        metadata = (await read()).Metadata;
        await client.send(new s3.DeleteObjectCommand(place));
      },
    };
  });
}
