/** Returns a number from 0 to 1, the same ones for the same seed. */
export type Random = () => number;

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const pickOf = <T>(random: Random, all: readonly [T, ...T[]]): T =>
  all[Math.floor(random() * all.length)] ?? all[0];

/** Texts that parsers stumble over. */
const tokens = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\r\n\r\n',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '"',
  "'",
  '%',
  '%00',
  '%2e%2e/',
  '../',
  '//',
  '?',
  '#',
  '&',
  '=',
  '{',
  '}',
  '[',
  ']',
  '--kelp',
  '\r\n--kelp--\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Host: evil.example\r\n',
  'Expect: 100-continue\r\n',
  'Connection: upgrade\r\nUpgrade: websocket\r\n',
  'Range: bytes=',
  'bytes=-1',
  'bytes=0-',
  'bytes=18446744073709551615-',
  'bytes=0-0,0-0,0-0',
  '0\r\n\r\n',
  'ffffffffffffffff\r\n',
  '-1',
  '1e309',
  'null',
  '__proto__',
  'constructor',
  '\u202E',
  '\u2028',
  '\uFEFF',
  '\uD800',
  'é',
  '🏴',
  "filename*=UTF-8''%ff",
  'name="file"; filename=""',
  'HTTP/1.0',
  'HTTP/2.0',
  'TRACE ',
  'OPTIONS ',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'A'.repeat(300),
  '('.repeat(100),
] as const satisfies readonly [string, ...string[]];

type Change = (bytes: Buffer, at: number, random: Random) => Buffer;

const cut = (bytes: Buffer, from: number, to: number, between: Buffer = Buffer.alloc(0)) =>
  Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)]);

const changes: readonly [Change, ...Change[]] = [
  function flipBit(bytes, at, random) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return flipped;
  },
  function replaceByte(bytes, at, random) {
    return cut(bytes, at, at + 1, Buffer.from([Math.floor(random() * 256)]));
  },
  function removeSome(bytes, at, random) {
    return cut(bytes, at, at + 1 + Math.floor(random() * 20));
  },
  function repeatSome(bytes, at, random) {
    return cut(bytes, at, at, bytes.subarray(at, at + Math.floor(random() * 40)));
  },
  function insertToken(bytes, at, random) {
    return cut(bytes, at, at, Buffer.from(pickOf(random, tokens)));
  },
  function overwriteByToken(bytes, at, random) {
    const token = Buffer.from(pickOf(random, tokens));
    return cut(bytes, at, at + token.length, token);
  },
  function moveLine(bytes, at) {
    const end = bytes.indexOf('\r\n', at);
    return end === -1 ? bytes : Buffer.concat([bytes.subarray(end + 2), bytes.subarray(0, end + 2)]);
  },
  function endHere(bytes, at) {
    return bytes.subarray(0, at);
  },
];

/** Changes a request in one to six places. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  const times = 1 + Math.floor(random() ** 2 * 6);
  for (let turn = 0; turn < times; turn += 1)
    changed = pickOf(random, changes)(changed, Math.floor(random() * changed.length), random);
  return changed;
}
