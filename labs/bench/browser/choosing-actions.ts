import { setTimeout as delay } from 'node:timers/promises';
import { expectCount } from './expect-count.ts';
import type { Hand } from './hand.ts';
import type { Action } from './measure-inputs.ts';
import { rowsInTable, type Table } from './open-table.ts';
import { inTurn, spotsOf } from './spots.ts';

export const check = ({ checkboxes, chosen, top }: Table, hand: Hand, turns: number): Action => {
  let before = 0;
  let rows = 1;
  return {
    what: `${rowsInTable} rows: choosing one by one`,
    moved: 'a press on a checkbox every 150 ms',
    async run() {
      await top();
      before = await chosen();
      const spots = await spotsOf(checkboxes);
      rows = spots.length;
      await hand.repeat(turns, 150, (turn) => hand.click(inTurn(spots, turn)));
    },
    async check() {
      // Every second round over the same rows clears the selection.
      const [rounds, rest] = [Math.floor(turns / rows), turns % rows];
      return expectCount('chosen', await chosen(), before + (rounds % 2 === 0 ? rest : rows - rest));
    },
  };
};

export const chooseAll = ({ chosen }: Table, hand: Hand, turns: number): Action => ({
  what: `${rowsInTable} rows: choosing all`,
  moved: 'Escape and Ctrl-A in turn every 150 ms',
  run: () => hand.repeat(turns, 150, (turn) => (turn % 2 === 0 ? hand.press('Escape') : hand.press('a', 'control'))),
  check: async () => expectCount('chosen', await chosen(), rowsInTable),
});

export const chooseRange = ({ checkboxes, chosen, top, bottom }: Table, hand: Hand, turns: number): Action => ({
  what: `${rowsInTable} rows: choosing a range`,
  moved: 'Escape, a press on the first row, shift and a press on the last one, and Escape 100 ms later',
  async run() {
    for (let turn = 0; turn < turns; turn += 1) {
      await top();
      const [first] = await spotsOf(checkboxes);
      hand.press('Escape');
      if (first) hand.click(first);
      await hand.rest();
      await bottom();
      const last = (await spotsOf(checkboxes)).at(-1);
      if (last) hand.click(last, 'shift');
      await delay(100);
      if (turn < turns - 1) hand.press('Escape');
      await hand.rest();
    }
  },
  check: async () => expectCount('chosen', await chosen(), rowsInTable),
});
