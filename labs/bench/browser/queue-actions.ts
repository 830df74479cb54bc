import type { Hand } from './hand.ts';
import type { Action } from './measure-inputs.ts';
import { filesInQueue, isFull, type Queue } from './open-queue.ts';
import { spotsOf } from './spots.ts';
import { beginUpload, remove, scroll, tab } from './uploading-actions.ts';

/**
 * Each of the first three is one long task, which only the next input can notice. So Tab is pressed every 25 ms for
 * half a second after each, and every press counts. The others run while a queue is uploading.
 */
export function queueActions(queue: Queue, hand: Hand, quick: boolean): readonly Action[] {
  const rounds = quick ? 3 : 10;
  const turns = quick ? 30 : 80;
  return [
    add(queue, hand, rounds),
    start(queue, hand, rounds),
    clear(queue, hand, rounds),
    tab(queue, hand, turns),
    scroll(queue, hand, turns * 2),
    remove(queue, hand, turns),
  ];
}

const followed = 'then Tab every 25 ms for 500 ms';
const follow = (hand: Hand) => hand.repeat(20, 25, () => hand.press('Tab'));

const add = (queue: Queue, hand: Hand, rounds: number): Action => ({
  what: `${filesInQueue} files: adding them`,
  moved: `${rounds} times all at once, ${followed}`,
  async run() {
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) await emptyQueue(queue);
      await Promise.all([queue.add(), follow(hand)]);
      await isFull(queue);
      await hand.rest();
    }
  },
  check: async () => `${await waiting(queue)} files in the queue at the end`,
});

const start = (queue: Queue, hand: Hand, rounds: number): Action => ({
  what: `${filesInQueue} files: pressing Upload Files`,
  moved: `${rounds} presses, ${followed} while they upload`,
  async run() {
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) await fillAgain(queue);
      await press(queue, hand, 'start');
    }
  },
  async check() {
    const { total } = await queue.place();
    if (total !== filesInQueue) throw new Error(`${total} files were on their way`);
    return `${total} files were on their way`;
  },
});

const clear = (queue: Queue, hand: Hand, rounds: number): Action => ({
  what: `${filesInQueue} files: removing all while they upload`,
  moved: `${rounds} presses, ${followed}`,
  async run() {
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) await beginUpload(queue);
      await press(queue, hand, 'clear');
      await queue.isEmpty.waitFor();
    }
  },
  check: async () => 'the queue was empty after each',
});

async function press(queue: Queue, hand: Hand, which: 'start' | 'clear'): Promise<void> {
  await queue.page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  for (const spot of await spotsOf(queue[which])) hand.click(spot);
  await follow(hand);
  await hand.rest();
}

/** Preparation uses no real input, so that it is not counted as one. */
async function emptyQueue(queue: Queue): Promise<void> {
  await queue.clear.dispatchEvent('click');
  await queue.isEmpty.waitFor();
}

async function fillAgain(queue: Queue): Promise<void> {
  await emptyQueue(queue);
  await queue.add();
  await isFull(queue);
}

/** Reads the count exposed to screen readers, because rows may be absent from the document. */
async function waiting({ page }: Queue): Promise<number> {
  const rows = page.getByRole('list', { name: 'Upload queue' }).getByRole('listitem');
  const said = await rows.first().getAttribute('aria-setsize');
  const files = said === null ? await rows.count() : Number(said);
  if (files !== filesInQueue) throw new Error(`${files} files are in the queue`);
  return files;
}
