import { join } from 'node:path';
import { runClient } from '../harness/children.ts';
import { type Engine, openStore } from '../harness/engine.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave } from '../harness/measure.ts';
import { createAccounts } from '../harness/new-accounts.ts';
import type { Row } from '../harness/row.ts';
import { accountsForSmallUploads, smallBytes, uploadRate } from '../harness/small-uploads.ts';

export const oneBatch: Row = {
  number: 23,
  title: '10 KB files in one batch',
  run: async ({ quick, folder }) => [
    await measure('SQLite', quick, folder),
    await measure('PostgreSQL', quick, folder),
  ],
};

async function measure(engine: Engine, quick: boolean, folder: string) {
  const files = quick ? 500 : 5_000;
  await using store = await openStore(engine, join(folder, engine), { durable: true });
  const accounts = await createAccounts(store, accountsForSmallUploads);
  await using server = await startHoldfast(store.dataDir, store.environment);
  const rates = await interleave(quick ? 3 : 5, {
    async batch() {
      const orders = { origin: server.url, apiKey: accounts[0]?.apiKey, uploads: files, size: smallBytes };
      const { seconds } = await runClient<{ readonly seconds: number }>('batch-upload', orders);
      return files / seconds;
    },
    single: () => uploadRate(server.url, accounts, { uploads: Math.min(files, 500), atOnce: 4 }),
  });
  return compareSpeeds({
    what: `10 KB files in one batch, ${engine}`,
    moved: `${files} new files each round`,
    unit: 'files/s',
    checked: 'a line of success for each',
    ours: { name: 'one batch', samples: rates.batch },
    against: { name: 'single uploads, 4 at a time', samples: rates.single },
    goal: { atLeast: 3 },
  });
}
