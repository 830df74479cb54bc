import { join } from 'node:path';
import { openStore } from '../harness/engine.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { interleave, stateRate } from '../harness/measure.ts';
import { createAccounts } from '../harness/new-accounts.ts';
import type { Row } from '../harness/row.ts';
import { uploadSmall } from '../harness/small-uploads.ts';

const files = 500;

/** A build that uploads its files with one key, as fast as the limits allow. */
export const oneKey: Row = {
  number: 19,
  title: `${files} files of 10 KB with one key`,
  async run({ quick, folder }) {
    await using store = await openStore('SQLite', join(folder, 'data'));
    const accounts = await createAccounts(store, 1);
    await using server = await startHoldfast(store.dataDir, store.environment);
    let refusals = 0;
    const rates = await interleave(quick ? 1 : 5, {
      async upload() {
        const { seconds, refused } = await uploadSmall(server.url, accounts, { uploads: files, atOnce: 4 });
        refusals += refused;
        return files / seconds;
      },
    });
    const line = stateRate({
      what: 'files that one key uploads from one address, 4 at a time',
      moved: `${files} new files of 10 KB each round`,
      goal: { atLeast: 100 },
      ours: { name: 'Node', samples: rates.upload },
      checked: 'status and link of each; 20 of each round were read back and hashed',
    });
    return [{ ...line, spread: `${line.spread}, ${refusals} calls waited for a limit` }];
  },
};
