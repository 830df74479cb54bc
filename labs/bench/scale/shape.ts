/**
 * The rows of a large service, computed from their numbers alone, so that both databases get the same ones in any order
 * and without holding them in memory. Ids, names, digests and hashes have the lengths and the spread of real ones.
 */
import { apiKeyHash, newApiKey, sealApiKey } from '@holdfast/server/src/accounts/api-key.ts';
import { hashPassword } from '@holdfast/server/src/accounts/passwords.ts';
import { standardCost } from '@holdfast/server/src/lib/password-cost.ts';
import { days, hours } from '@holdfast/server/src/lib/clock.ts';
import { base62 } from '@holdfast/server/src/lib/random-text.ts';
import { newRowId } from '@holdfast/server/src/lib/row-id.ts';
import type { SeededAccount } from '@holdfast/test-support/seed-lists.ts';

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

export interface Shape {
  readonly files: number;
  /** The accounts whose lists are measured. Their files are spread over the whole time, none of them deleted. */
  readonly lists: readonly SeededAccount[];
  /** The account whose files `empty-accounts` deletes, and how many it has. */
  readonly closing: { readonly id: string; readonly files: number };
  /** Rows of each table that has any, in an order that its references allow. */
  readonly tables: readonly Table[];
  /** A file that no job deletes. */
  readonly pickFile: () => { readonly id: string; readonly name: string; readonly sha256: string };
}

export interface Table {
  readonly name: 'accounts' | 'blobs' | 'files' | 'sessions' | 'activity';
  /** Highest number of rows; `rowAt` leaves some out. */
  readonly count: number;
  /** Returns null for a number without a row. */
  readonly rowAt: (at: number) => Row | null;
}

const years = 2;
/** What the purge and other jobs find was deleted so long ago. */
const deletedAgo = hours(25);

/** `files` must be a multiple of 20 and at least ten times each of `listSizes`. */
export async function shapeOf(files: number, listSizes: readonly number[], secret: Buffer): Promise<Shape> {
  const now = Date.now();
  const start = now - days(365 * years);
  const timeOf = (at: number, count: number) => start + Math.floor((at / count) * days(365 * years - 2));
  const owners = Math.max(50, Math.floor(files / 100));
  const ownerIds = Array.from({ length: owners }, (_, at) => idOf(timeOf(at, owners), at, 'account'));
  const lists = listSizes.map((size, at) => ({
    id: idOf(now - days(1), at, 'list'),
    apiKey: newApiKey(),
    files: size,
    every: files / size,
  }));
  const listOf = (at: number) => lists.findIndex(({ every }, index) => at % every === index);
  /** Squared, so that a few owners have thousands of files and most have some dozens. */
  const ownerOf = (at: number) => Math.floor(owners * share(at, 'owner') ** 2);
  const fileIdOf = (at: number) => idOf(timeOf(at, files), at, 'file');
  const isDeleted = (at: number) => at % 20 === 7;
  const isPurged = (at: number) => isDeleted(at) && at % 200 !== 7;
  /** A tenth of the files share the bytes of the file before. */
  const blobOf = (at: number) => (at % 10 === 9 ? at - 1 : at);
  const sizeOf = (at: number) => Math.floor(1_000 * 10 ** (5 * share(blobOf(at), 'size')));

  const usage = Array.from({ length: owners + lists.length }, () => ({ slots: 0, space: 0 }));
  for (let at = 0; at < files; at += 1) {
    if (isDeleted(at)) continue;
    const list = listOf(at);
    const used = usage[list === -1 ? ownerOf(at) : owners + list];
    if (!used) throw new Error('unreachable: every file has an owner');
    used.slots += 1;
    used.space += sizeOf(at);
  }

  // Nobody signs in to the other accounts or looks at their keys.
  const passwordHash = await hashPassword('Correct-Horse-7', standardCost);
  const sealedKey = sealApiKey({ secret }, 'somebody', newApiKey());
  const accountRow = (at: number): Row | null => {
    const list = lists[at - owners];
    if (at >= owners && !list) return idleAccount(at);
    const id = list?.id ?? ownerIds[at] ?? '';
    const kind = list ? 'list' : kindOf(at);
    const dormant = kind === 'dormant' || kind === 'warned';
    const lastActive = dormant ? now - days(370) : now - Math.floor(share(at, 'active') * days(300));
    return {
      ...commonOf(id, `owner-${at}@example.com`, timeOf(Math.min(at, owners - 1), owners)),
      password_hash: passwordHash,
      level: list ? 'power' : share(at, 'level') < 0.9 ? 'free' : 'basic',
      key_hash: list ? apiKeyHash(list.apiKey) : hexOf(at, 64, 'key'),
      // Each start of the server tries the key of the newest account.
      key_sealed: list ? sealApiKey({ secret }, id, list.apiKey) : sealedKey,
      slots_used: usage[at]?.slots ?? 0,
      space_used: usage[at]?.space ?? 0,
      last_active_at: lastActive,
      first_warned_at: kind === 'warned' ? now - days(60) : 0,
      last_warned_at: kind === 'warned' ? now - days(30) : 0,
      deletion_due_at: kind === 'warned' ? now - days(1) : 0,
      inactivity_auto_delete_days: kind === 'auto-delete' ? 700 : 0,
    };
  };
  const idleCount = Math.floor(owners / 10);
  /** Accounts without files: half were closed a day ago, half never confirmed their address. */
  const idleAccount = (at: number): Row => {
    const id = idOf(now - days(9), at, 'idle');
    const isClosed = at % 2 === 0;
    return {
      ...commonOf(id, `idle-${at}@example.com`, now - days(9)),
      password_hash: passwordHash,
      key_hash: hexOf(at, 64, 'key'),
      key_sealed: sealedKey,
      last_active_at: now - days(9),
      verified_at: isClosed ? now - days(9) : null,
      closed_at: isClosed ? now - deletedAgo : null,
    };
  };

  const fileRow = (at: number): Row => {
    const list = lists[listOf(at)];
    const [name, blob] = [nameOf(at), blobOf(at)];
    const uploadedAt = timeOf(at, files);
    const extension = extensions[at % 3] ?? '';
    const title = `${words[at % 5]} of summer ${100_000_000 + at}.${extension}`;
    const isBlank = isPurged(at);
    const deletedAt = isBlank ? now - days(30) : now - deletedAgo;
    return {
      id: fileIdOf(at),
      account_id: list?.id ?? ownerIds[ownerOf(at)] ?? '',
      name,
      original_name: isBlank ? '' : title,
      search_text: isBlank ? '' : `${name} ${title}`.toUpperCase(),
      extension,
      size: sizeOf(at),
      sha256: digestOf(blob),
      blob_id: blobIdOf(blob),
      is_favorite: at % 50 === 3 ? 1 : 0,
      hits: Math.floor(1 / (share(at, 'hits') + 1e-6)) - 1,
      last_accessed_at: at % 3 === 0 ? 0 : uploadedAt + Math.floor(share(at, 'accessed') * (now - uploadedAt)),
      uploaded_at: uploadedAt,
      deleted_at: isDeleted(at) ? deletedAt : null,
      deleted_because: isDeleted(at) ? 'owner' : null,
    };
  };
  const blobRow = (at: number): Row | null => {
    if (blobOf(at) !== at || isPurged(at)) return null;
    return {
      id: blobIdOf(at),
      sha256: digestOf(at),
      size: sizeOf(at),
      used_by: isDeleted(at) ? 0 : at % 10 === 8 ? 2 : 1,
      unused_since: isDeleted(at) ? now - deletedAgo : null,
      created_at: timeOf(at, files),
      scan_state: 'clean',
      // One in 2,000 is due for a scan; otherwise a rescan of so many would take hours.
      scanned_at: at % 2_000 === 0 ? now - deletedAgo : now - Math.floor(share(at, 'scanned') * hours(20)),
    };
  };
  const [sessions, events] = [owners * 3, Math.floor(files / 20)];
  const sessionRow = (at: number): Row => {
    const seenAt = at % 20 === 0 ? now - days(400) : now - Math.floor(share(at, 'seen') * days(5));
    return {
      token_hash: hexOf(at, 64, 'token'),
      id: idOf(seenAt, at, 'session'),
      account_id: ownerIds[at % owners] ?? '',
      agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      address: '192.0.2.7',
      created_at: seenAt - days(1),
      last_seen_at: seenAt,
    };
  };
  /** One in fifty is older than the year for which events are kept. */
  const eventRow = (at: number): Row => {
    const happenedAt = at % 50 === 0 ? now - days(366) : now - Math.floor(share(at, 'event') * days(360));
    return {
      id: idOf(happenedAt, at, 'event'),
      account_id: ownerIds[at % owners] ?? '',
      event: 'continuous_uploading',
      name: nameOf(at),
      original_name: `${words[at % 5]} of winter ${100_000_000 + at}.zip`,
      size: sizeOf(at),
      happened_at: happenedAt,
    };
  };

  const fullest = usage.slice(0, owners).reduce((best, { slots }, at) => {
    const isBest = kindOf(at) === 'other' && slots > (usage[best]?.slots ?? 0);
    return isBest ? at : best;
  }, owners - 1);
  const isCalm = (at: number) =>
    !isDeleted(at) && (listOf(at) !== -1 || (kindOf(ownerOf(at)) === 'other' && ownerOf(at) !== fullest));
  const pickFile: Shape['pickFile'] = () => {
    for (;;) {
      const at = Math.floor(Math.random() * files);
      if (isCalm(at)) return { id: fileIdOf(at), name: nameOf(at), sha256: digestOf(blobOf(at)) };
    }
  };
  return {
    files,
    lists,
    closing: { id: ownerIds[fullest] ?? '', files: usage[fullest]?.slots ?? 0 },
    tables: [
      { name: 'accounts', count: owners + lists.length + idleCount, rowAt: accountRow },
      { name: 'blobs', count: files, rowAt: blobRow },
      { name: 'files', count: files, rowAt: fileRow },
      { name: 'sessions', count: sessions, rowAt: sessionRow },
      { name: 'activity', count: events, rowAt: eventRow },
    ],
    pickFile,
  };
}

const words = ['world', 'photo', 'backup', 'notes', 'clip'] as const;
const extensions = ['zip', 'png', 'txt'] as const;

/** What the jobs find about the owner with this number. */
function kindOf(owner: number): 'dormant' | 'warned' | 'auto-delete' | 'other' {
  if (owner % 200 === 61) return 'dormant';
  if (owner % 500 === 87) return 'warned';
  return owner % 20 === 9 ? 'auto-delete' : 'other';
}

const commonOf = (id: string, email: string, createdAt: number) => ({
  id,
  email,
  email_key: email,
  name: email.slice(0, email.indexOf('@')),
  level: 'free',
  slots_used: 0,
  space_used: 0,
  created_at: createdAt,
  verified_at: createdAt as number | null,
  first_warned_at: 0,
  last_warned_at: 0,
  inactivity_auto_delete_days: 0,
  closed_at: null as number | null,
});

/** Each purpose has its own numbers, so that the size of a file says nothing about its owner. */
const salts = {
  owner: 0x1b873593,
  size: 0x27d4eb2f,
  active: 0x165667b1,
  level: 0x9e3779b1,
  hits: 0x85ebca77,
  accessed: 0xc2b2ae3d,
  scanned: 0x2545f491,
  seen: 0x4f6cdd1d,
  event: 0x369dea0f,
  name: 0x6c078965,
  account: 0x5bd1e995,
  list: 0x7feb352d,
  idle: 0x846ca68b,
  file: 0x68e31da4,
  session: 0xb5297a4d,
  blob: 0x1e35a7bd,
  digest: 0x3c6ef372,
  token: 0x510e527f,
  key: 0x9b05688c,
} as const;
type Salt = keyof typeof salts;

/** A one-to-one mapping of 32-bit numbers whose results look random: the finalizer of MurmurHash3. */
function scramble(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const draw = (at: number, salt: Salt, part = 0): number =>
  scramble(scramble(at) ^ (salts[salt] + Math.imul(part, 0x9e3779b9)));

/** A number from 0 up to 1. */
const share = (at: number, salt: Salt): number => draw(at, salt) / 2 ** 32;

/** Without Z and z, so that no name contains the word that is searched for. */
const letters = base62.replaceAll(/z/gi, '');

/** Six characters that no other number has, and two more. */
function nameOf(at: number): string {
  let [text, rest] = ['', scramble(at)];
  for (let length = 0; length < 6; length += 1, rest = Math.floor(rest / 60)) text += letters[rest % 60];
  const more = draw(at, 'name') % 3_600;
  return `${text}${letters[more % 60]}${letters[Math.floor(more / 60)]}`;
}

const pairs = Array.from({ length: 4096 }, (_, at) => `${base62[at % 62]}${base62[Math.floor(at / 62) % 62]}`);

/** The time of `newRowId`, and twelve characters that follow from the number. */
function idOf(time: number, at: number, salt: Salt): string {
  let text = newRowId(time).slice(0, 8);
  for (let part = 0; part < 3; part += 1) {
    const bits = draw(at, salt, part);
    text += `${pairs[bits & 4095]}${pairs[(bits >>> 12) & 4095]}`;
  }
  return text;
}

const hexOfPair = Array.from({ length: 65_536 }, (_, at) => at.toString(16).padStart(4, '0'));

function hexOf(at: number, length: number, salt: Salt): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) {
    const bits = draw(at, salt, part);
    text += `${hexOfPair[bits & 65_535]}${hexOfPair[bits >>> 16]}`;
  }
  return text.slice(0, length);
}

const digestOf = (blob: number): string => hexOf(blob, 64, 'digest');

/** With the two zeros of `newBlobId`. */
function blobIdOf(blob: number): string {
  const random = hexOf(blob, 30, 'blob');
  return `${random.slice(0, 2)}00${random.slice(2)}`;
}
