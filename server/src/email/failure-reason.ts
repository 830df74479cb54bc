import { messageOf } from '../lib/message-of.ts';
import { OperatorError } from '../lib/operator-error.ts';

/** A mail server may quote a code, a link or a password, so only tokens that look like words are kept. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof OperatorError) return message.slice(0, longest);
  const [, beginning = '', rest = ''] = status.exec(message) ?? [];
  const words = rest.split(/\s+/).map((token) => (word.test(token) ? token : '…'));
  const kept = words.join(' ').replaceAll(/…( …)+/g, '…');
  return (beginning + kept).slice(0, longest).trim();
}

const status = /^((?:[A-Za-z ]{1,60}: )?(?:[245]\d\d[ -])?(?:[245]\.\d{1,3}\.\d{1,3} )?)(.*)$/s;

const word = /^[("']?(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,12})(?:['-][a-z]{1,14})?[.,:;!?)"']{0,2}$/;

const longest = 300;
