import { checkStorage, OtherStorage } from '../../engines/blobs/storage-owner.ts';
import type { Inspection } from './inspection.ts';

/** Checks that the storage belongs to this service. If it does not, its bytes are not treated as strays. */
export async function checkOwner({ context, suspect }: Inspection): Promise<void> {
  const problem = await otherStorage(context);
  if (problem === null) return;
  await suspect({
    kind: 'other-storage',
    subject: 'storage',
    says: problem,
    again: async () => (await otherStorage(context)) !== null,
  });
}

export async function otherStorage(context: Inspection['context']): Promise<string | null> {
  try {
    await checkStorage(context);
    return null;
  } catch (error) {
    if (error instanceof OtherStorage) return error.message;
    throw error;
  }
}
