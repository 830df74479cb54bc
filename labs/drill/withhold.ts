/**
 * Actions of the drill's operators on bytes, and their model: all files of the same bytes are withheld and restored
 * together.
 */
import { discard } from '../../server/src/operator/discard.ts';
import { findBytes } from '../../server/src/operator/find-bytes.ts';
import { quarantineByOperator } from '../../server/src/operator/quarantine-bytes.ts';
import { onlyHoldOn, restore } from '../../server/src/operator/restore.ts';
import { takeDown } from '../../server/src/operator/take-down.ts';
import type { TestServer } from '../../server/test/harness/start-server.ts';
import { liveOf, type ModelFile, type Person } from './people.ts';

const operator = { operator: 'drill', action: 'test' };

/** Returns the files of these bytes in every open account. */
const filesOf = (people: readonly Person[], bytes: string): [Person, ModelFile][] =>
  people.flatMap((person) =>
    person.isClosed
      ? []
      : person.files.filter((file) => file.bytes === bytes).map((file) => [person, file] as [Person, ModelFile]),
  );

export async function takeDownBytes(
  { context, memory }: TestServer,
  people: readonly Person[],
  file: ModelFile,
  reference: string,
) {
  await takeDown(context, memory, operator, await findBytes(context, file.name), reference);
  withhold(people, file.bytes);
}

export async function quarantineBytes({ context, memory }: TestServer, people: readonly Person[], file: ModelFile) {
  await quarantineByOperator(context, memory, operator, await findBytes(context, file.name), 'Drill.Test');
  withhold(people, file.bytes);
}

function withhold(people: readonly Person[], bytes: string): void {
  for (const [, file] of filesOf(people, bytes)) if (file.state === 'live') file.state = 'withheld';
}

/** Returns the accounts whose files could not be restored for lack of space. */
export async function restoreBytes(
  { context }: Pick<TestServer, 'context'>,
  people: readonly Person[],
  file: ModelFile,
  { overQuota = false } = {},
): Promise<string[]> {
  const found = await findBytes(context, file.name);
  const { accounts } = await restore(context, operator, found, await onlyHoldOn(context, found), { overQuota });
  const restored = new Set(accounts.filter(({ outcome }) => outcome === 'restored').map(({ account }) => account));
  for (const [person, each] of filesOf(people, file.bytes))
    if (each.state === 'withheld' && restored.has(person.email)) each.state = 'live';
  return accounts.filter(({ outcome }) => outcome === 'over quota').map(({ account }) => account);
}

export async function discardBytes({ context }: TestServer, file: ModelFile): Promise<void> {
  await discard(context, operator, await findBytes(context, file.name));
}

/** Returns a live file of each of `count` different bytes that more than one person has. */
export function sharedFiles(people: readonly Person[], count: number): ModelFile[] {
  const byBytes = Map.groupBy(
    people.flatMap((person) => (person.isClosed ? [] : liveOf(person).map((file) => ({ person, file })))),
    ({ file }) => file.bytes,
  );
  const shared = [...byBytes.values()].filter((all) => new Set(all.map(({ person }) => person)).size > 1);
  return shared.slice(0, count).flatMap(([first]) => (first ? [first.file] : []));
}
