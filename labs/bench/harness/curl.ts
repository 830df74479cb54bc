/** curl as the client: one process for any number of transfers at once, which is the lightest one available here. */
import { linkHeader, tusContentType, tusPath } from '@holdfast/contract/src/resumable.ts';
import { readFile, stat } from 'node:fs/promises';
import type { Account } from './account.ts';
import { runProgram } from './children.ts';

interface Transfer {
  readonly args: readonly string[];
  /** Destination of the response body. */
  readonly into: string;
}

interface Transferred {
  /** Time from the start of the program to its end. */
  readonly seconds: number;
  /** Time from the first request to the last byte. */
  readonly transferSeconds: number;
  readonly statuses: readonly number[];
  /** Size of each body in bytes. */
  readonly lengths: readonly number[];
}

async function transferAll(transfers: readonly Transfer[]): Promise<Transferred> {
  const each = transfers.map(({ args, into }) => [
    ...args,
    '-o',
    into,
    '-w',
    '%{http_code} %{size_download} %{time_total}\n',
  ]);
  const args = [
    '--no-progress-meter',
    '--parallel',
    '--parallel-immediate',
    '--parallel-max',
    String(transfers.length),
  ];
  const { output, seconds } = await runProgram('curl', [
    ...args,
    ...each.flatMap((one, at) => (at ? ['--next', ...one] : one)),
  ]);
  const lines = output
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const column = (at: number) => lines.map((line) => line[at] ?? Number.NaN);
  return { seconds, transferSeconds: Math.max(...column(2)), statuses: column(0), lengths: column(1) };
}

/** Downloads a file on `connections` connections at once, discards the bytes, and returns the seconds. */
export async function downloadInParallel(url: string, size: number, connections: number): Promise<number> {
  const transfer = { args: [url], into: '/dev/null' };
  const { statuses, lengths, transferSeconds } = await transferAll(Array.from({ length: connections }, () => transfer));
  const whole = statuses.every((status) => status === 200) && lengths.every((length) => length === size);
  if (!whole || lengths.length !== connections)
    throw new Error(`${url} answered ${statuses.join()} with ${lengths.join()} bytes`);
  return transferSeconds;
}

export interface Upload {
  readonly account: Account;
  readonly path: string;
  readonly sha256: string;
}

/** Uploads all files at once with their digests; returns the links, in order, and the seconds. */
export async function uploadAll(
  origin: string,
  uploads: readonly Upload[],
): Promise<{ links: string[]; seconds: number }> {
  const { answers, seconds } = await postForms(origin, uploads);
  return { links: answers.map(linkIn), seconds };
}

/** Sends the forms to any server that accepts them; returns the response bodies, in order, and the seconds. */
export async function postForms(
  origin: string,
  uploads: readonly Upload[],
): Promise<{ answers: string[]; seconds: number }> {
  const transfers = uploads.map(({ account, path, sha256 }) => ({
    args: formOf(origin, account, path, sha256),
    into: `${path}.answer`,
  }));
  const { seconds } = await transferAll(transfers);
  return { answers: await Promise.all(transfers.map(({ into }) => readFile(into, 'utf8'))), seconds };
}

/** Uploads a file by tus from files with its pieces; returns the link and the seconds of all requests together. */
export async function uploadPieces(
  origin: string,
  { account, path, sha256 }: Upload,
  pieces: readonly string[],
): Promise<{ link: string; seconds: number }> {
  const sizes = await Promise.all(pieces.map(async (piece) => (await stat(piece)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const metadata = `filename ${btoa('bench.txt')},sha_256 ${btoa(sha256)}`;
  const common = ['-sS', '--interface', account.localAddress, '-o', `${path}.answer`];
  const headers = (...lines: readonly string[]) =>
    [`X-API-Key: ${account.apiKey}`, 'Tus-Resumable: 1.0.0', ...lines].flatMap((line) => ['-H', line]);
  const lengths = headers(`Upload-Length: ${total}`, `Upload-Metadata: ${metadata}`);
  const create = [...common, '-X', 'POST', ...lengths, '-w', '%header{location}', origin + tusPath];
  const created = await runProgram('curl', create);
  let offset = 0;
  const each = pieces.map((piece, at) => {
    const sent = headers(`Content-Type: ${tusContentType}`, `Upload-Offset: ${offset}`);
    offset += sizes[at] ?? 0;
    return [...common, '-X', 'PATCH', ...sent, '-T', piece, '-w', `%header{${linkHeader}}`, origin + created.output];
  });
  const sent = await runProgram(
    'curl',
    each.flatMap((one, at) => (at ? ['--next', ...one] : one)),
  );
  if (!sent.output.startsWith('http'))
    throw new Error(`an upload was refused: ${await readFile(`${path}.answer`, 'utf8')}`);
  return { link: sent.output, seconds: created.seconds + sent.seconds };
}

function formOf(origin: string, { localAddress, apiKey }: Account, path: string, sha256: string): string[] {
  const fields = ['-F', `file=@${path};filename=bench.txt`, '-F', `sha_256=${sha256}`];
  return ['--interface', localAddress, '-H', `X-API-Key: ${apiKey}`, ...fields, `${origin}/api/v3/upload`];
}

function linkIn(answer: string): string {
  const { url = null } = JSON.parse(answer) as { url?: string };
  if (url === null) throw new Error(`an upload was refused: ${answer.trim()}`);
  return url;
}
