import type { Engine } from '../harness/engine.ts';
import { openStartedStore, type StartedStore } from '../harness/first-answer.ts';
import { compareTimes, interleave } from '../harness/measure.ts';
import type { Bench, Line, Row } from '../harness/row.ts';

export const startToAnswer: Row = {
  number: 12,
  title: 'the start until the first answer',
  async run(bench) {
    return [await runOn('SQLite', bench), await runOn('PostgreSQL', bench)];
  },
};

async function runOn(engine: Engine, { quick, folder }: Bench): Promise<Line> {
  const files = quick ? 100_000 : 1_000_000;
  await using empty = await openStartedStore(engine, folder, 0);
  await using full = await openStartedStore(engine, folder, files);
  return await firstAnswerLine(engine, { full, empty }, { files, rounds: quick ? 3 : 9 });
}

/** Compares the starts on a database with `files` files and on an empty one. */
export async function firstAnswerLine(
  engine: Engine,
  { full, empty }: { readonly full: StartedStore; readonly empty: StartedStore },
  { files, rounds }: { readonly files: number; readonly rounds: number },
): Promise<Line> {
  const samples = await interleave(rounds, { full: full.firstAnswer, empty: empty.firstAnswer });
  return compareTimes({
    what: `${engine}: the start of the server until its first answer`,
    moved: `${rounds} starts on each database`,
    goal: { atMost: 1.5 },
    ours: { name: `${files.toLocaleString('en')} files`, samples: samples.full },
    against: { name: 'an empty database', samples: samples.empty },
    checked: 'the answer: the digest of a file, and 404 where there is none',
  });
}
