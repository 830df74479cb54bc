import { findDamage } from '../../engines/database/find-damage.ts';
import type { Inspection } from './inspection.ts';

/**
 * The indexes of the database have what their tables have. First, because every other check reads by an index. The engine
 * has looked at one state of the database, so nothing is looked at again.
 */
export async function checkDatabase({ context, scrub, signal, suspect, notChecked }: Inspection): Promise<void> {
  const report = await findDamage(context.db, scrub, signal);
  for (const { kind, subject, says } of report.damage)
    await suspect({ kind: kind === 'index' ? 'index-damaged' : 'database-damaged', subject, says: `${says}.`, again });
  if (report.notChecked !== null) notChecked(report.notChecked);
}

const again = async () => true;
