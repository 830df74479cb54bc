/** The people of the drill, and the model of their state: every change is applied to the service and recorded here. */
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { createClient } from '@holdfast/contract/src/client.ts';
import { changeApiKey } from '../../server/src/accounts/change-api-key.ts';
import { grantPlan } from '../../server/src/operator/grant-plan.ts';
import { rank } from '../../server/src/billing/subscription.ts';
import { goodPassword, type SignedIn, signUpAndIn } from '../../server/test/harness/accounts.ts';
import type { TestServer } from '../../server/test/harness/start-server.ts';
import { formWith, sendForm, storedNameOf } from '../../server/test/harness/uploads.ts';

export interface ModelFile {
  readonly name: string;
  /** Name of the file in the list. */
  readonly originalName: string;
  readonly bytes: string;
  /** State of the file: `deleted` by its owner, or `withheld` by the operator. */
  state: 'live' | 'deleted' | 'withheld';
  favorite: boolean;
  /** True if it was a favorite when the backup was taken: a restore can only add favorites. */
  wasFavorite: boolean;
  /** Uploaded after the backup, so a restore does not know it. */
  isLost: boolean;
}

export interface Person extends SignedIn {
  readonly id: string;
  apiKey: string;
  /** Replaced keys. */
  readonly oldKeys: string[];
  password: string;
  readonly oldPasswords: string[];
  granted: PlanLevel;
  /** The plan that is paid for at the provider. */
  paid: PlanLevel;
  autoDeleteDays: number;
  isContinuous: boolean;
  isClosed: boolean;
  /** Signed up after the backup. */
  isLost: boolean;
  readonly files: ModelFile[];
}

export const levelOf = ({ granted, paid }: Person): PlanLevel => (rank(paid) > rank(granted) ? paid : granted);
export const liveOf = ({ files }: Person): ModelFile[] => files.filter(({ state }) => state === 'live');

/** File names as people and attackers choose them. */
const hostileNames = [
  'notes\u2028part two.txt',
  'notes\u2029part three.txt',
  'next\u0085line.txt',
  '../../etc/passwd.txt',
  'C:\\Windows\\CON.txt',
  `${'long'.repeat(100)}.txt`,
  '\u202Egpj.exe.txt',
  `"; DROP TABLE files; --.txt`,
  '🏴‍☠️ ahoy.txt',
  `n${'\u0301'.repeat(150)}.txt`,
  'tab\there.txt',
  '%00%2e%2e.txt',
  "it's.txt",
  'Ünïcödé 文件 файл.txt',
  'file\r\nSet-Cookie: x=1.txt',
  '\uFEFFbom.txt',
  '<script>alert(1)</script>.txt',
  '{"a":1,"b":"\\n"}.txt',
  ' leading and trailing .txt',
  'plain.txt',
];

export async function newPerson(server: TestServer, isLost = false): Promise<Person> {
  const signedIn = await signUpAndIn(server);
  const { id } = await server.context.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', signedIn.email)
    .executeTakeFirstOrThrow();
  return {
    ...signedIn,
    id,
    oldKeys: [],
    password: goodPassword,
    oldPasswords: [],
    granted: 'free',
    paid: 'free',
    autoDeleteDays: 0,
    isContinuous: false,
    isClosed: false,
    isLost,
    files: [],
  };
}

export async function uploadAs(
  server: TestServer,
  person: Person,
  bytes: string,
  { at = person.files.length, isLost = false }: { at?: number; isLost?: boolean } = {},
): Promise<ModelFile> {
  const name = hostileNames[at % hostileNames.length] ?? 'plain.txt';
  const { success, url, error } = await sendForm(server, person, formWith(bytes, name));
  if (!success) throw new Error(`${JSON.stringify(name)} was refused: ${error}`);
  const stored = storedNameOf(url);
  const { original_name } = await server.context.db
    .selectFrom('files')
    .select('original_name')
    .where('name', '=', stored)
    .executeTakeFirstOrThrow();
  const file: ModelFile = {
    name: stored,
    originalName: original_name,
    bytes,
    state: 'live',
    favorite: false,
    wasFavorite: false,
    isLost,
  };
  person.files.push(file);
  return file;
}

export async function deleteAs(server: TestServer, person: Person, files: readonly ModelFile[]): Promise<void> {
  const client = createClient(fetch, { origin: server.url, apiKey: person.apiKey });
  await client.deleteFiles({ body: { files: files.map(({ name }) => name) } });
  for (const file of files) file.state = 'deleted';
}

export async function flipAs(server: TestServer, person: Person, file: ModelFile): Promise<void> {
  const client = createClient(fetch, { origin: server.url, apiKey: person.apiKey });
  const { file_info } = await client.toggleFavorite({ body: { file: file.name } });
  file.favorite = file_info.is_favorite;
}

export async function keepFor(person: Person, autoDeleteDays: number): Promise<void> {
  await person.browser.client.setAccountSettings({ body: { inactivity_auto_delete_days: autoDeleteDays } });
  person.autoDeleteDays = autoDeleteDays;
}

export async function continueUploading(person: Person, isContinuous: boolean): Promise<void> {
  await person.browser.client.setAccountSettings({ body: { continuous_uploading: isContinuous } });
  person.isContinuous = isContinuous;
}

export async function grant({ context }: TestServer, person: Person, level: PlanLevel): Promise<void> {
  await grantPlan(context, person.id, level);
  person.granted = level;
}

export async function changeKey({ context }: TestServer, person: Person): Promise<void> {
  const account = await context.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow();
  const key = await changeApiKey(context, account);
  person.oldKeys.push(person.apiKey);
  person.apiKey = key;
}

export async function changePassword(person: Person): Promise<void> {
  const newPassword = `Another-Horse-${person.oldPasswords.length + 8}`;
  await person.browser.client.changePassword({ body: { old_password: person.password, new_password: newPassword } });
  person.oldPasswords.push(person.password);
  person.password = newPassword;
  const { account } = await person.browser.client.getAccountInfo();
  person.oldKeys.push(person.apiKey);
  person.apiKey = account.info.api_key;
}

export async function close(person: Person): Promise<void> {
  await person.browser.client.confirmPassword({ body: { password: person.password } });
  await person.browser.client.deleteAccount();
  person.isClosed = true;
  for (const file of liveOf(person)) file.state = 'deleted';
}
