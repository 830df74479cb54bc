/**
 * A service of 10,000 files (or `MOVE_FILES`) is moved from SQLite and a folder to PostgreSQL, on S3 by `npm run lab -- s3`,
 * and back.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  command,
  fill,
  killMove,
  lostFiles,
  moveTo,
  newOtherPlace,
  newService,
  newSqlitePlace,
  startService,
  type StoredFile,
  uploadSteadily,
} from '../../server/test/harness/place-to-move.ts';

const count = Number(process.env['MOVE_FILES'] ?? '10000');

test(`${count} files are moved there and back, killed three times each way`, { timeout: 3_600_000 }, async () => {
  const { place, apiKey } = await newService();
  const other = await newOtherPlace(place);
  expect(other.DATABASE_URL).toMatch(/^postgres:/);
  const files: StoredFile[] = [];
  for (const [from, to] of [
    [place, other],
    [other, await newSqlitePlace(place.DATA_DIR)],
  ] as const) {
    await using service = await startService(from, apiKey);
    if (files.length === 0) files.push(...(await fill(service, count)));
    const uploading = uploadSteadily(service, () => Math.ceil(Math.random() * 50_000));
    const startedAt = performance.now();
    const moments: readonly (readonly [line: string, ms: number])[] = [
      ['Copying bytes', Math.random() * 800],
      ['Copying bytes', Math.random() * 800],
      ['accepts no changes now', Math.random() * 50],
      ['The rows are copied', 0],
    ];
    let kills = 0;
    for (const [line, ms] of moments)
      kills += Number(
        await killMove(from, moveTo(to), async (running) => {
          await running.says(line);
          await wait(ms);
        }),
      );
    const moved = await command(from, ...moveTo(to));
    const took = (performance.now() - startedAt) / 1000;
    await uploading.stop();
    await service.stop();
    expect(moved).toMatchObject({ code: 0 });
    // The move may end before the last one.
    expect(kills).toBeGreaterThanOrEqual(3);
    files.push(...uploading.stored);
    console.log(
      `${moved.out}\nWith ${kills} kills it took ${took.toFixed(1)} s, beside ${uploading.stored.length} uploads.`,
    );
    const clean = await command(to, 'fsck', '--scrub');
    expect(clean).toEqual({ code: 0, err: '', out: expect.stringMatching(/: all is well\.\n$/) as string });
    console.log(clean.out);
    await using next = await startService(to, apiKey);
    expect(await lostFiles(next, files)).toEqual([]);
    await next.stop();
  }
});
