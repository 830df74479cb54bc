import { findDamage } from '../../engines/database/find-damage.ts';
import type { Inspection } from './inspection.ts';

/**
 * Checks that indexes match their tables. It runs first, because every other check reads through an index. The engine
 * checks one consistent state of the database, so findings need no second look.
 */
export async function checkDatabase({ context, scrub, signal, suspect, notChecked }: Inspection): Promise<void> {
  const report = await findDamage(context.db, scrub, signal);
  for (const { kind, subject, says } of report.damage)
    await suspect({ kind: kind === 'index' ? 'index-damaged' : 'database-damaged', subject, says: `${says}.`, again });
  if (report.notChecked !== null) notChecked(report.notChecked);
}

const again = async () => true;
