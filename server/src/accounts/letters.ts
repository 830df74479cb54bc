import type { Context } from '../context.ts';
import type { Letter } from '../engines/mail/mail.ts';

/** The letter with the code that proves that an address belongs to who signed up with it. */
export function codeLetter({ config }: Pick<Context, 'config'>, to: string, code: string): Letter {
  const { name } = config.site;
  return {
    to,
    subject: `Your ${name} verification code`,
    secret: code,
    text: [
      `Your verification code for ${name} is:`,
      '',
      `    ${code}`,
      '',
      'It is valid for 10 minutes and works once.',
      `If you did not sign up for ${name}, ignore this message: without the code nothing happens.`,
      '',
    ].join('\n'),
    html: page([
      `<p>Your verification code for ${escapeHtml(name)} is:</p>`,
      `<p style="font:600 28px/1.4 ui-monospace,Menlo,monospace;letter-spacing:6px;margin:24px 0">${code}</p>`,
      '<p>It is valid for 10 minutes and works once.</p>',
      `<p style="color:#5b6b70">If you did not sign up for ${escapeHtml(name)}, ignore this message: without the code nothing happens.</p>`,
    ]),
  };
}

function page(lines: readonly string[]): string {
  const body = 'font:16px/1.5 system-ui,sans-serif;color:#16282d;max-width:480px;margin:0 auto;padding:32px 16px';
  return `<!doctype html><html lang="en"><body style="${body}">${lines.join('')}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
