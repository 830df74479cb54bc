import { checkStorage, OtherStorage } from '../service-id.ts';
import type { Inspection } from './inspection.ts';

/** The storage belongs to this service. Where it does not, what it holds is nobody's stray. */
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
