import type { Email } from '../../src/services/mail/mail.ts';
import { goodPassword } from './accounts.ts';

/** Checks that no log line contains a secret. It runs when a server ends, so every test of the suite is covered. */
export function refuseSecretsIn(log: readonly string[], emails: readonly Email[]): void {
  const sent = emails.flatMap(({ secret }) => (secret === null ? [] : [keyOf(secret)]));
  const secrets = [goodPassword, ...sent].map(
    (secret) => new RegExp(`(?<![0-9A-Za-z])${escaped(secret)}(?![0-9A-Za-z])`),
  );
  const shapes = [/hf_[0-9A-Za-z]{46}/, /holdfast-(session|pending)[\w-]*=\w/, /[?&#]key=\w/, ...secrets];
  const line = log.find((each) => shapes.some((shape) => shape.test(each)));
  if (line !== undefined) throw new Error(`a secret was logged: ${line}`);
}

/** A link is as secret as the key in it. */
const keyOf = (secret: string) =>
  URL.canParse(secret) ? (new URLSearchParams(new URL(secret).hash.slice(1)).get('key') ?? secret) : secret;

const escaped = (text: string) => text.replaceAll(/[^0-9A-Za-z]/g, String.raw`\$&`);
