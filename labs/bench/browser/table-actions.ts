import { check, chooseAll, chooseRange } from './choosing-actions.ts';
import { expectCount } from './expect-count.ts';
import type { Hand } from './hand.ts';
import type { Action } from './measure-inputs.ts';
import { rowsInTable, type Table } from './open-table.ts';
import { inTurn, spotsOf } from './spots.ts';

/** Actions of a person in a hurry on the table: equally fast, and without waiting for it. */
export function tableActions(table: Table, hand: Hand, quick: boolean): readonly Action[] {
  const turns = quick ? 24 : 60;
  return [
    scroll(table, hand, quick ? 60 : 200),
    sort(table, hand, turns),
    check(table, hand, turns),
    chooseAll(table, hand, turns),
    chooseRange(table, hand, quick ? 8 : 20),
    star(table, hand, turns),
    filter(table, hand, turns),
  ];
}

const scroll = ({ page, top }: Table, hand: Hand, turns: number): Action => ({
  what: `${rowsInTable} rows: scrolling`,
  moved: 'the wheel turned every 50 ms, down and part of the way up again',
  async run() {
    await top();
    // The pointer is over the names, where previews open.
    await hand.repeat(turns, 50, (turn) => hand.wheel({ x: 420, y: 500 }, turn < turns * 0.6 ? 200 : -200));
  },
  async check() {
    const place = await page.evaluate(() => Math.round(window.scrollY));
    if (place < turns * 20) throw new Error(`the page stands at ${place} px`);
    return `the page stands at ${place} px afterwards`;
  },
});

const sort = ({ page, sortButton, top }: Table, hand: Hand, turns: number): Action => {
  const titles = ['Name', 'Size', 'Hits', 'Upload Time'];
  return {
    what: `${rowsInTable} rows: sorting`,
    moved: 'a press on a column every 250 ms',
    async run() {
      await top();
      const spots = await Promise.all(titles.map((title) => spotsOf(sortButton(title))));
      await hand.repeat(turns, 250, (turn) => {
        for (const spot of inTurn(spots, Math.floor(turn / 2))) hand.click(spot);
      });
    },
    async check() {
      const last = inTurn(titles, Math.floor((turns - 1) / 2));
      await page.locator('th[aria-sort=ascending]', { hasText: last }).waitFor();
      return 'the last press decided the order';
    },
  };
};

/** Presses each star once: while its call is in progress it accepts no other press. */
const star = ({ page, stars, starred, top }: Table, hand: Hand, turns: number): Action => {
  let pressed = 0;
  return {
    what: `${rowsInTable} rows: stars`,
    moved: 'a press on a star every 200 ms',
    async run() {
      await top();
      const [highest = { x: 0, y: 0 }] = await spotsOf(stars);
      while (pressed < turns) {
        // Stars above the first one belong to rows that the scroll has moved up.
        const spots = (await spotsOf(stars)).filter(({ y }) => y > highest.y - 1);
        await hand.repeat(spots.length, 200, (turn) => hand.click(inTurn(spots, turn)));
        // Pending inputs would hit other rows after the scroll.
        await hand.rest();
        pressed += spots.length;
        const rowHeight = (spots[1]?.y ?? 0) - (spots[0]?.y ?? 0);
        const by = rowHeight * spots.length;
        await page.evaluate((pixels) => window.scrollBy({ top: pixels, behavior: 'instant' }), by);
      }
    },
    check: async () => expectCount('stars', await starred(), pressed),
  };
};

const filter = (table: Table, hand: Hand, turns: number): Action => {
  const letters = ['z', 'i', 'p'];
  return {
    what: `${rowsInTable} rows: typing in the filter`,
    moved: "'zip' and Backspace, a key every 250 ms, so that each asks for another list",
    async run() {
      await table.top();
      for (const spot of await spotsOf(table.filter)) hand.click(spot);
      const keys = [...letters, ...letters.map(() => 'Backspace')];
      await hand.repeat(turns + letters.length - (turns % keys.length), 250, (turn) => hand.press(inTurn(keys, turn)));
    },
    async check() {
      const value = await table.filter.inputValue();
      if (value !== letters.join('')) throw new Error(`the filter has '${value}'`);
      return `the filter has '${value}'`;
    },
  };
};
