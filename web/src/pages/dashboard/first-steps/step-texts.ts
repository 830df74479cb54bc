import type { StepName } from '@holdfast/contract/src/first-steps.ts';

export interface StepText {
  readonly open: string;
  readonly done: string;
  /** The setting or command, shown beside an open step. */
  readonly hint?: string;
  /** Code is between backticks. */
  readonly text: string;
  /** A page and a heading of the docs, which the program's folder has. */
  readonly docs: readonly [page: string, heading: string];
}

const installation = 'docs/installation.md';

export const stepTexts: Readonly<Record<StepName | 'outbox', StepText>> = {
  address: {
    open: 'Set the public address',
    done: 'The public address is set',
    hint: 'PUBLIC_URL',
    text: 'Put `PUBLIC_URL=https://holdfast.example`, with your own address, into `.env` and restart the server. Links and emails then begin with it. A proxy in front, such as Caddy, adds HTTPS.',
    docs: ['docs/self-hosting.md', 'Install'],
  },
  mail: {
    open: 'Send yourself a test email',
    done: 'The mail server accepts emails',
    text: '`MAIL_URL` names the mail server, and `CONTACT_EMAIL` is the sender, which it must accept. The button sends an email to your own address and says immediately whether the mail server took it.',
    docs: [installation, 'Mail'],
  },
  /** In place of the step above while there is no mail server. */
  outbox: {
    open: 'Emails are files in the outbox until MAIL_URL is set',
    done: 'The mail server accepts emails',
    text: 'Until then, nobody gets the code for a new account or a link for a new password. Set `MAIL_URL=smtp://USER:PASSWORD@HOST:587` in `.env` and restart the server. A button here then sends you a test email.',
    docs: [installation, 'Mail'],
  },
  backup: {
    open: 'Make a backup',
    done: 'A backup was made',
    hint: './holdfast backup',
    text: 'Run `./holdfast backup /backup` as the user of the server, in its folder. It copies the database and every file into `/backup`, which is best on another disk. Let `cron` repeat it every night.',
    docs: [installation, 'Backup'],
  },
  sign_up: {
    open: 'Choose who may sign up',
    done: 'You chose who may sign up',
    hint: 'SIGN_UP',
    text: 'Set `SIGN_UP` to `open`, `invite`, `approval` or `closed` and restart the server. Without it everybody can sign up. `./holdfast invite create` prints a link for a friend.',
    docs: ['docs/joining.md', 'Sign-up'],
  },
  upload: {
    open: 'Upload a first file',
    done: 'You uploaded a file',
    text: 'Drop a file on this page and press Upload Files. Its link works for everybody you give it to.',
    docs: ['README.md', 'Start'],
  },
  api_key: {
    open: 'Copy your API key',
    done: 'You copied your API key',
    text: 'Scripts and programs such as ShareX upload with it, in the header `X-API-Key`. The API Docs have samples in four languages.',
    docs: ['README.md', 'Use it from a script'],
  },
};
