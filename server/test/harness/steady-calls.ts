/** Clients that call without a pause while servers are stopped and started, and count every call that fails. */
import { randomBytes } from 'node:crypto';
import { Agent as HttpAgent, type IncomingMessage, request as requestByHttp, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Uploader } from './place.ts';

/** The server, or the proxy in front of it. */
export interface Front {
  readonly port: number;
  readonly ca?: Buffer;
  readonly hosts?: { readonly app: string; readonly file: string };
}

export interface SteadyCalls {
  readonly done: Readonly<Record<Kind, number>>;
  /** One sentence for each call that had another response or none. */
  readonly failed: readonly string[];
  /** When the last one failed, by `performance.now()`; 0 if none did. */
  readonly failedAt: number;
  /** Downloads every file whose upload was acknowledged, and returns a sentence for each that is not as it was sent. */
  checkAll(): Promise<{ readonly files: number; readonly wrong: readonly string[] }>;
  /** Lets the calls that are under way end, and sends no more. */
  stop(): Promise<void>;
}

type Kind = 'download' | 'upload' | 'call' | 'download on a new connection' | 'upload on a new connection';

/** Each client has an address and an account of its own, so that no limit is reached. */
export function startSteadyCalls(front: Front, uploaders: readonly Uploader[]): SteadyCalls {
  const failed: string[] = [];
  let failedAt = 0;
  const uploaded: StoredFile[] = [];
  const done: Record<Kind, number> = {
    download: 0,
    upload: 0,
    call: 0,
    'download on a new connection': 0,
    'upload on a new connection': 0,
  };
  const stopping = { now: false };
  const clients = uploaders.map(async (owner, at) => {
    const client = openClient(front, `127.0.1.${at + 1}`, owner);
    const count = async (kind: Kind, call: () => Promise<void>) => {
      try {
        await call();
        done[kind] += 1;
      } catch (error) {
        failed.push(`${kind}: ${String(error)}`);
        failedAt = performance.now();
      }
    };
    const upload = async (isKept: boolean) => {
      const stored = await client.upload(isKept);
      uploaded.push(stored);
      return stored;
    };
    const file = await upload(true);
    for (let turn = 0; !stopping.now; turn += 1) {
      await count('download', () => client.download(file, true));
      await count('download on a new connection', () => client.download(file, false));
      if (turn % 4 === 0) await count('upload', async () => void (await upload(true)));
      if (turn % 4 === 2) await count('upload on a new connection', async () => void (await upload(false)));
      if (turn % 8 === 0) await count('call', () => client.info());
      // An address may make four calls a second, and eight turns last a second.
      await delay(250 * Math.random());
    }
    client.close();
  });
  const ended = Promise.all(clients);
  // It is reported where somebody waits for the end.
  ended.catch(() => {});
  return {
    done,
    failed,
    get failedAt() {
      return failedAt;
    },
    async checkAll() {
      const wrong: string[] = [];
      const [owner] = uploaders;
      if (!owner) throw new Error('there is no client');
      const client = openClient(front, '127.0.1.250', owner);
      for (const file of uploaded)
        await client.download(file, true).catch((error: unknown) => wrong.push(`${file.path}: ${String(error)}`));
      client.close();
      return { files: uploaded.length, wrong };
    },
    async stop() {
      stopping.now = true;
      await ended;
    },
  };
}

interface StoredFile {
  readonly path: string;
  readonly bytes: Buffer;
}

interface Reply {
  readonly status: number | undefined;
  readonly body: Buffer;
}

type Asked = Pick<RequestOptions, 'method' | 'path'> & { readonly headers?: Readonly<Record<string, string>> };

function openClient({ port, ca, hosts }: Front, localAddress: string, owner: Uploader) {
  const options = { keepAlive: true, maxSockets: 1, localAddress };
  const agent = ca ? new HttpsAgent({ ...options, ca }) : new HttpAgent(options);
  const send = async (host: string | undefined, asked: Asked, isKept: boolean, body?: Buffer) => {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const all = {
      ...asked,
      host: '127.0.0.1',
      port,
      localAddress,
      agent: isKept ? agent : false,
      ...(ca && { ca, servername: host }),
      headers: {
        'X-Forwarded-For': localAddress,
        ...asked.headers,
        ...(host !== undefined && { Host: host }),
        ...(body && { 'Content-Length': body.length }),
      },
    };
    const request = ca ? requestByHttps(all) : requestByHttp(all);
    request.once('error', reject);
    request.once('response', (answer: IncomingMessage) => {
      buffer(answer).then((read) => resolve({ status: answer.statusCode, body: read }), reject);
    });
    request.end(body);
    return promise;
  };
  const headers = { 'X-API-Key': owner.apiKey };
  return {
    async upload(isKept: boolean): Promise<StoredFile> {
      const bytes = randomBytes(10_000);
      const asked = { method: 'POST', path: '/api/v3/upload', headers: { ...headers, ...form.headers } };
      const reply = await send(hosts?.app, asked, isKept, Buffer.concat([form.before, bytes, form.after]));
      const { url } = JSON.parse(expectStatus(reply).toString()) as { url: string };
      return { path: new URL(url).pathname, bytes };
    },
    async download({ path, bytes }: StoredFile, isKept: boolean): Promise<void> {
      if (!expectStatus(await send(hosts?.file, { path }, isKept)).equals(bytes)) throw new Error('other bytes');
    },
    async info(): Promise<void> {
      expectStatus(await send(hosts?.app, { path: '/api/v3/rest/get-account-info', headers }, true));
    },
    close: () => agent.destroy(),
  };
}

function expectStatus({ status, body }: Reply): Buffer {
  if (status !== 200) throw new Error(`${status} ${body.toString().slice(0, 200)}`);
  return body;
}

const form = {
  headers: { 'Content-Type': 'multipart/form-data; boundary=kelp' },
  before: Buffer.from('--kelp\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'),
  after: Buffer.from('\r\n--kelp--\r\n'),
};
