/** Uploads, downloads, ranges, lists, favorites, deletions and key changes of many accounts at a steady rate. */
import { changeApiKey } from '../../server/src/accounts/api-key.ts';
import { BrokenPromise } from '../load/broken-promise.ts';
import { bytesOf, type Draft, type KeptFile, newDraft, newSeed, uploadDraft } from '../load/kept-files.ts';
import { type Place, type Uploader, withContext } from '../../server/test/harness/place.ts';
import type { Ask, Reply, Requests } from '../load/request.ts';
import type { Weather } from './weather.ts';

export type Outcome = 'done' | 'refused' | 'cut';
type Count = Record<Outcome, number>;

export interface MixedLoad {
  readonly kept: KeptFile[];
  /** Outcomes of each kind of call. */
  readonly counts: ReadonlyMap<string, Count>;
  /** Runs one call of a random kind. Rejects with a BrokenPromise. */
  call(): Promise<void>;
  /** Changes the key of an account, as a person who lost it does. */
  changeKey(): Promise<void>;
  /** Sends every upload again that had no response. */
  sendLost(): Promise<void>;
}

/** Refusals of a working server: a limit, a full disk, a dependency that is away. */
const refusals = new Set([429, 503, 507]);

export function createMixedLoad(
  place: Place,
  requests: Requests,
  uploaders: readonly Uploader[],
  weather: Weather,
): MixedLoad {
  const kept: KeptFile[] = [];
  const lost: Draft[] = [];
  const counts = new Map<string, Count>();
  /** Accounts whose old key has ended or will at any moment, while their new one is not known here. */
  const changing = new Set<Uploader>();
  const isOldKey = (owner: Uploader, apiKey: string) => changing.has(owner) || apiKey !== owner.apiKey;
  /** Contents that several accounts upload, so that they share a blob. */
  const common = Array.from({ length: 20 }, newSeed);

  const note = (kind: string, outcome: Outcome) => {
    const count = counts.get(kind) ?? { done: 0, refused: 0, cut: 0 };
    count[outcome] += 1;
    counts.set(kind, count);
  };

  /** Returns null when there was no response, or a refusal that is right. */
  async function ask(kind: string, asked: Ask): Promise<Reply | null> {
    const startedAt = performance.now();
    const reply = await requests.send(asked).catch((error: unknown) => error as Error);
    if (reply instanceof Error) {
      if (weather.isCalmSince(startedAt)) throw new BrokenPromise(`A ${kind} was cut: ${reply.message}.`);
      note(kind, 'cut');
      return null;
    }
    if (refusals.has(reply.status)) {
      if (reply.status !== 429 && weather.isCalmSince(startedAt)) throw unexpected(kind, reply);
      note(kind, 'refused');
      return null;
    }
    if (reply.status >= 500) throw unexpected(kind, reply);
    note(kind, 'done');
    return reply;
  }

  async function upload(draft: Draft = newUpload()): Promise<void> {
    const startedAt = performance.now();
    const { apiKey } = draft.owner;
    const sent = await uploadDraft(requests, draft).catch((error: unknown) => error as Error);
    if (sent instanceof Error) {
      if (weather.isCalmSince(startedAt)) throw new BrokenPromise(`An upload was cut: ${sent.message}.`);
      lost.push(draft);
      return note('upload', 'cut');
    }
    if ('file' in sent) {
      kept.push(sent.file);
      return note('upload', 'done');
    }
    const hadOldKey = sent.status === 401 && isOldKey(draft.owner, apiKey);
    const isRefusal = sent.status === 429 || (refusals.has(sent.status) && !weather.isCalmSince(startedAt));
    if (!hadOldKey && !isRefusal) throw new BrokenPromise(`An upload got ${sent.status}: ${sent.text}`);
    // One beyond a limit is not sent again, as a person would not who may do no more.
    if (sent.status !== 429) lost.push(draft);
    note('upload', 'refused');
  }

  function newUpload(): Draft {
    const dice = Math.random();
    const size = dice < 0.85 ? pick(40_000) : dice < 0.98 ? pick(300_000) : pick(4_000_000);
    const isCommon = Math.random() < 0.1;
    return isCommon ? newDraft(one(uploaders), 5_000, one(common)) : newDraft(one(uploaders), size);
  }

  async function download(file: KeptFile): Promise<void> {
    const before = file.state;
    const reply = await ask('download', { path: `/file/${file.name}` });
    if (!reply || before !== file.state || before === 'deleting') return;
    const expected = before === 'live' ? 200 : 404;
    if (reply.status !== expected)
      throw new BrokenPromise(`The ${before} file ${file.name} was answered with ${reply.status}.`);
    if (before === 'live' && !reply.body.equals(bytesOf(file.seed, file.size)))
      throw new BrokenPromise(`A download of ${file.name} has other bytes than were uploaded.`);
  }

  async function range(file: KeptFile): Promise<void> {
    if (file.size === 0 || file.state !== 'live') return;
    const start = pick(file.size);
    const end = Math.min(file.size - 1, start + pick(file.size));
    const reply = await ask('range', { path: `/file/${file.name}`, headers: { Range: `bytes=${start}-${end}` } });
    if (!reply || file.state !== 'live') return;
    const right = bytesOf(file.seed, file.size).subarray(start, end + 1);
    if (reply.status !== 206 || !reply.body.equals(right))
      throw new BrokenPromise(`Bytes ${start}-${end} of ${file.name} came wrong, with ${reply.status}.`);
  }

  async function remove(file: KeptFile): Promise<void> {
    if (file.state !== 'live') return;
    file.state = 'deleting';
    const body = Buffer.from(JSON.stringify({ files: [file.name] }));
    const headers = { 'X-API-Key': file.owner.apiKey, 'Content-Type': 'application/json' };
    const reply = await ask('deletion', { method: 'DELETE', path: '/api/v3/rest/delete-files', headers, body });
    if (reply?.status === 200) file.state = 'deleted';
  }

  async function read(kind: string, path: string): Promise<void> {
    const owner = one(uploaders);
    const { apiKey } = owner;
    const reply = await ask(kind, { path, headers: { 'X-API-Key': apiKey } });
    if (reply && reply.status !== 200 && !isOldKey(owner, apiKey))
      throw new BrokenPromise(`A ${kind} got ${reply.status}.`);
  }

  /** With the share of all calls that each has. */
  const kinds: readonly (readonly [number, () => Promise<void>])[] = [
    [0.25, () => upload()],
    [0.4, () => download(one(kept))],
    [0.15, () => range(one(kept))],
    [0.08, () => remove(one(kept))],
    [0.07, () => read('list', '/api/v3/rest/get-file-list?limit=100')],
    [0.05, () => read('account', '/api/v3/rest/get-account-info')],
  ];

  return {
    kept,
    counts,
    async call() {
      let dice = Math.random();
      const kind = kinds.find(([share]) => (dice -= share) < 0);
      await (kept.length < 50 || !kind ? upload() : kind[1]());
    },
    async changeKey() {
      const owner = one(uploaders);
      const old = owner.apiKey;
      changing.add(owner);
      owner.apiKey = await withContext(place, async (context) => {
        const rows = context.db.selectFrom('accounts').selectAll().where('id', '=', owner.id);
        const account = await rows.executeTakeFirstOrThrow();
        return changeApiKey(context, { account, by: 'key', sessionId: null, confirmedAt: 0 });
      }).finally(() => changing.delete(owner));
      const reply = await ask('key change', { path: '/api/v3/rest/get-account-info', headers: { 'X-API-Key': old } });
      if (reply && reply.status !== 401) throw new BrokenPromise(`A replaced key got ${reply.status}.`);
    },
    async sendLost() {
      for (const draft of lost.splice(0)) await upload(draft);
    },
  };
}

const unexpected = (kind: string, { status, body }: Reply) =>
  new BrokenPromise(`A ${kind} got ${status}: ${body.toString().slice(0, 200)}`);

const pick = (below: number): number => Math.floor(Math.random() * below);

function one<T>(all: readonly T[]): T {
  const found = all[pick(all.length)];
  if (found === undefined) throw new Error('there is nothing to choose from');
  return found;
}
