import { endpoints } from '@holdfast/contract/src/endpoints.ts';
import type { Engine } from '../harness/engine.ts';
import { bytesOf, type FullAccount, openFullAccounts } from '../harness/full-accounts.ts';
import { longestStall } from '../harness/longest-stall.ts';
import { median } from '../harness/measure.ts';
import type { Bench, Line, Row } from '../harness/row.ts';

const files = 500;
/** The number of slots of a Starter account, minus the favorite and the new file. */
const small = 998;
const goal = { atMost: 50 };

export const manyFilesAtOnce: Row = {
  number: 11,
  title: `${files} files deleted in one call, and by one upload`,
  async run(bench) {
    return [...(await runOn('SQLite', bench)), ...(await runOn('PostgreSQL', bench))];
  },
};

interface Sample {
  readonly took: number;
  /** Longest delay of the event loop, in milliseconds. */
  readonly stall: number;
}

async function runOn(engine: Engine, { quick, folder }: Bench): Promise<Line[]> {
  const rounds = quick ? 3 : 10;
  // The first round of each is a warm-up.
  await using full = await openFullAccounts(engine, folder, { accounts: 2 * (rounds + 1), files: small });
  const { server, accounts } = full;
  const measure = async (account: FullAccount, work: (account: FullAccount) => Promise<void>): Promise<Sample> => {
    let took = Number.NaN;
    const stall = await longestStall(server, async () => {
      const start = performance.now();
      await work(account);
      took = performance.now() - start;
    });
    return { took, stall };
  };
  const [deleted, evicted]: [Sample[], Sample[]] = [[], []];
  for (let at = 0; at < accounts.length; at += 2) {
    const [first, second] = accounts.slice(at, at + 2);
    if (!first || !second) throw new Error('unreachable: accounts come in pairs');
    deleted.push(await measure(first, (account) => deleteFiles(server.url, account)));
    evicted.push(await measure(second, (account) => uploadOver(server.url, account)));
  }
  return [
    lineOf(`${engine}: deleting ${files} files`, deleted.slice(1)),
    lineOf(`${engine}: evicting ${files} files`, evicted.slice(1)),
  ];
}

async function deleteFiles(url: string, account: FullAccount): Promise<void> {
  const answer = await fetch(url + endpoints.deleteFiles.path, {
    method: endpoints.deleteFiles.method,
    headers: { ...headersOf(account), 'Content-Type': 'application/json' },
    body: JSON.stringify({ files: account.names.slice(0, files) }),
  });
  const { deleted } = (await answer.json()) as { deleted?: readonly string[] };
  if (deleted?.length !== files) throw new Error(`${deleted?.length} files were deleted`);
  await expectLeft(url, account, small + 1 - files);
}

/** Uploads a file as large as the 500 oldest files together. */
async function uploadOver(url: string, account: FullAccount): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([Buffer.alloc(bytesOf(files), account.apiKey)]), 'large.txt');
  const answer = await fetch(url + endpoints.upload.path, { method: 'POST', headers: headersOf(account), body: form });
  if (answer.status !== 200) throw new Error(`the upload was refused: ${await answer.text()}`);
  await expectLeft(url, account, small + 2 - files);
}

async function expectLeft(url: string, account: FullAccount, left: number): Promise<void> {
  const answer = await fetch(`${url}${endpoints.getFileList.path}?limit=1`, { headers: headersOf(account) });
  const { account_usage: told } = (await answer.json()) as { account_usage?: { slots_used: number } };
  if (told?.slots_used !== left) throw new Error(`${told?.slots_used} files are left instead of ${left}`);
}

let asked = 0;

/** Each call comes from a different address, because an address may make only four a second. */
function headersOf({ apiKey }: FullAccount): Record<string, string> {
  asked += 1;
  return { 'X-API-Key': apiKey, 'X-Forwarded-For': `10.0.${asked >> 8}.${asked & 255}` };
}

function lineOf(what: string, samples: readonly Sample[]): Line {
  const stalls = samples.map(({ stall }) => stall);
  const times = samples.map(({ took }) => took);
  return {
    what: `${what}, the longest stall of the event loop`,
    moved: `${files} of ${small} files, one transaction, ${samples.length} rounds`,
    ours: `${median(times).toFixed(0)} ms from the request to the answer`,
    against: '–',
    value: Math.max(...stalls),
    unit: 'ms',
    spread: `${Math.min(...stalls).toFixed(0)}–${Math.max(...stalls).toFixed(0)}, median ${median(stalls).toFixed(0)}`,
    goal,
    checked: 'how many files the account has afterwards',
    samples: { stalls, times },
  };
}
