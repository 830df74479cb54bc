import { expect, test } from 'vitest';
import { shownName } from './shown-name.ts';

test.each(['\u202E', '\u202D', '\u2066', '\u2067', '\u2069', '\u200F', '\u061C'])(
  'a direction mark cannot hide the extension of a name (%j)',
  (mark) => expect(shownName(`photo${mark}gpj.exe`)).toBe('photogpj.exe'),
);

test('a name in any script is shown unchanged', () => {
  for (const name of ['kelp.txt', 'תמונה.jpg', 'صورة.png', '写真.webp']) expect(shownName(name)).toBe(name);
});
