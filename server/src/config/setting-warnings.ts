import type { Config } from './config.ts';
import type { Environment } from './read-setting.ts';
import { readSettingsFile } from './settings-file.ts';
import { settings } from './settings.ts';

const names: ReadonlySet<string> = new Set(Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]));

/** Read by Node, by libraries and by the tools that start the server. */
const ofOthers = /^(?:NODE_|PG|AWS_|SSL_|UV_|TZ$|LANG$|LC_|COMPOSE_|POSTGRES_|DOCKER_)|_PROXY$/i;

export const warningsAtStart = (config: Config): readonly string[] =>
  settingWarnings(config, readSettingsFile(), process.env);

/** What is accepted and does nothing, or not what it seems to. The environment has the variables of other programs, too. */
export function settingWarnings(config: Config, inFile: Environment, environment: Environment): readonly string[] {
  const unknown = Object.keys(inFile).filter((name) => !names.has(name) && !ofOthers.test(name));
  const misspelled = Object.keys(environment).filter((name) => !names.has(name) && nearest(name) !== undefined);
  const found = [...new Set([...unknown, ...misspelled])].map((name) => {
    const meant = nearest(name);
    return `${name} is not a setting${meant === undefined ? '' : `. Is it ${meant}?`}`;
  });
  const isSet = (name: keyof typeof settings) =>
    Boolean(environment[name]?.trim() || environment[`${name}_FILE`]?.trim());
  const ignored = idle(config).flatMap(([setting, needed]) =>
    isSet(setting) ? [`${setting} does nothing unless ${needed}`] : [],
  );
  const toNowhere = config.mail.engine === 'smtp' && config.publicUrl === null;
  return [
    ...found,
    ...ignored,
    ...config.fileOrigins
      .filter((origin) => origin.includes('[') && origin !== config.publicUrl)
      .map(
        (origin) => `pages show no previews from ${origin} in FILE_ORIGINS: give it a name instead of an IPv6 address`,
      ),
    ...(toNowhere ? ['MAIL_URL is set and PUBLIC_URL is not: the links in emails lead to this machine alone'] : []),
  ];
}

const idle = ({ captcha, payments, database, mail }: Config): readonly (readonly [keyof typeof settings, string])[] => [
  ...(captcha.engine === 'altcha' ? [] : [['ALTCHA_DIFFICULTY', 'CAPTCHA is altcha'] as const]),
  ...(captcha.engine === 'recaptcha'
    ? []
    : (['RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET', 'RECAPTCHA_MIN_SCORE'] as const).map(
        (name) => [name, 'CAPTCHA is recaptcha'] as const,
      )),
  ...(payments.engine === 'none' ? [['STRIPE_API_URL', 'STRIPE_SECRET_KEY is set'] as const] : []),
  ...(database.engine === 'sqlite' ? [['DATABASE_CA_FILE', 'DATABASE_URL is that of PostgreSQL'] as const] : []),
  ...(mail.engine === 'outbox' ? [['MAIL_CA_FILE', 'MAIL_URL is a mail server'] as const] : []),
];

/** A short name is near too many others. */
function nearest(name: string): string | undefined {
  const most = Math.floor(name.length / 4);
  const near = [...names].map((each) => ({ each, steps: edits(name, each) })).filter(({ steps }) => steps <= most);
  return near.toSorted((a, b) => a.steps - b.steps)[0]?.each;
}

/** The Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [line, left] of Array.from(a).entries()) {
    const next = [line + 1];
    for (const [at, right] of Array.from(b).entries())
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (left === right ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
