import { closeToOthers, exposedFiles, isExposed } from '../../config/private-files.ts';
import { recordAction } from '../record-action.ts';
import type { Inspection } from './inspection.ts';

/** Finds the data folder, database and secret key that other users of the machine may read or write. */
export async function checkPermissions({ context, actor, suspect }: Inspection): Promise<void> {
  for (const path of await exposedFiles(context.config))
    await suspect({
      kind: 'readable-by-others',
      subject: path,
      says: `Other users of this machine may read or write ${path}.`,
      again: () => isExposed(path),
      mend: async () => {
        // Only its owner and root may change the permissions.
        const closed = await closeToOthers(path).then(
          () => true,
          () => false,
        );
        if (closed) await recordAction(context, actor, { subject: path, details: { closed_to_others: true } });
        return closed;
      },
    });
}
