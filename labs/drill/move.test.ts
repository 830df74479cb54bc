/**
 * A service with many files is moved to another database and storage and back, and each time killed three times. By
 * default it has 1,000 files, with `MOVE_FILES` as many as that says. `MOVE_BLOBS` names the other storage, such as
 * `s3://bucket/tests?endpoint=http://127.0.0.1:7480&region=us-east-1`, with the credentials in the variables of AWS; without
 * it that is a folder.
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

const count = Number(process.env['MOVE_FILES'] ?? '1000');

test(`${count} files are moved there and back, with three kills each way`, { timeout: 3_600_000 }, async () => {
  const { place, apiKey } = await newService();
  const other = await newOtherPlace(place);
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
      ['Copying bytes', 200 + Math.random() * 800],
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
    // A small service may be moved before it is killed.
    if (count >= 5_000) expect(kills).toBe(3);
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
