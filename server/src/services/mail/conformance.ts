import { expect, test } from 'vitest';
import type { ReadEmail } from '../../../test/harness/read-eml.ts';
import { markId } from './mark.ts';
import { type Email, EmailRefused, type Mail } from './mail.ts';

export interface MailEngine extends AsyncDisposable {
  readonly mail: Mail;
  /** Returns the emails that have arrived so far, in sending order. */
  readonly arrived: () => Promise<ReadEmail[]>;
}

export const email: Email = {
  to: 'ada@example.com',
  subject: 'Your code – für Ada 🐙',
  text: `Line one = 1.\n\n    123456\n\n.\nFrom here: ${'long '.repeat(300)}\nÄnd €.\n`,
  html: '<p>Your code is <b>123456</b>, Ada – für dich 🐙</p>',
  secret: '123456',
};

/** Tests the promises of every mail engine (see `Mail`). */
export function mailConformance(open: () => Promise<MailEngine>): void {
  test('an email arrives with its recipient, subject, text and HTML', async () => {
    await using engine = await open();
    await engine.mail.send(email, 'one');
    const [arrived, ...more] = await engine.arrived();
    expect(more).toEqual([]);
    expect(arrived?.headers.get('to')).toEqual(['ada@example.com']);
    expect(arrived?.headers.get('subject')).toEqual([email.subject]);
    expect(arrived?.headers.get('from')?.[0]).toMatch(/^Holdfast <.+@.+>$/);
    expect(arrived?.headers.get('message-id')).toEqual([expect.stringMatching(/^<one@.+>$/)]);
    expect(arrived?.text.replaceAll('\r\n', '\n').trimEnd()).toBe(email.text.trimEnd());
    expect(arrived?.html.trimEnd()).toBe(email.html);
    expect(arrived?.images).toEqual([]);
  });

  test('an email that shows the logo contains it', async () => {
    await using engine = await open();
    const html = `<img src="cid:${markId}">`;
    await engine.mail.send({ ...email, html }, 'one');
    const [arrived] = await engine.arrived();
    expect(arrived?.text.replaceAll('\r\n', '\n').trimEnd()).toBe(email.text.trimEnd());
    expect([arrived?.html.trimEnd(), arrived?.images]).toEqual([html, [`<${markId}>`]]);
  });

  test.each([
    'ada@example.com, eve@example.com',
    'ada@example.com eve@example.com',
    'Eve <eve@example.com>',
    '"ada@example.com"@example.com',
    'ada@example.com (eve@example.com)',
    'ada@example.com\r\nRCPT TO:<eve@example.com>',
    'ada@example.com\u0000',
    'ada',
  ])('%j is not one plain address and gets nothing, now or later', async (to) => {
    await using engine = await open();
    await expect(engine.mail.send({ ...email, to }, 'one')).rejects.toThrow(EmailRefused);
    expect(await engine.arrived()).toEqual([]);
  });

  test.each([
    ['subject', { subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nInjected' }],
    ['recipient', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
  ])('a line break in the %s adds no header and no recipient', async (_where, change) => {
    await using engine = await open();
    // Refusing such an email is as good as sending it without the injected header.
    await engine.mail.send({ ...email, ...change }, 'one').catch(() => {});
    for (const { headers, text } of await engine.arrived()) {
      expect(headers.get('bcc')).toBeUndefined();
      expect(headers.get('to')).toHaveLength(1);
      expect(text).not.toMatch(/^Injected/);
    }
  });
}
