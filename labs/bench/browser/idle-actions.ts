import type { Page } from '@holdfast/test-support/open-browser.ts';
import type { Hand } from './hand.ts';
import type { Action } from './measure-inputs.ts';

/** The same inputs on an empty page: the baseline of machine and browser. It reveals a busy machine. */
export function idleActions(page: Page, hand: Hand, paths: readonly string[]): readonly Action[] {
  const check = async () => `the page was ${page.url()}`;
  return [
    {
      what: 'an empty page: Tab',
      moved: 'Tab every 25 ms',
      goal: null,
      run: () => hand.repeat(80, 25, () => hand.press('Tab')),
      check,
    },
    {
      what: 'an empty page: the wheel',
      moved: 'the wheel turned every 50 ms',
      goal: null,
      run: () => hand.repeat(40, 50, (turn) => hand.wheel({ x: 420, y: 500 }, turn % 2 === 0 ? 200 : -200)),
      check,
    },
    {
      what: `an empty page: choosing ${paths.length} files`,
      moved: '3 times all at once, then Tab every 25 ms for 500 ms',
      goal: null,
      async run() {
        await page.evaluate(() =>
          document.body.append(Object.assign(document.createElement('input'), { type: 'file', multiple: true })),
        );
        for (let round = 0; round < 3; round += 1) {
          await Promise.all([
            page.locator('input').setInputFiles([...paths]),
            hand.repeat(20, 25, () => hand.press('Tab')),
          ]);
        }
      },
      check,
    },
  ];
}
