import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';

/** @throws {Failure} UPLOAD_TYPE_REFUSED for what the plan does not take (spec section 5). */
export function refuseType({ name, allowedExtensions }: Plan, extension: string): void {
  if (!allowedExtensions || allowedExtensions.has(extension)) return;
  throw new Failure(
    'UPLOAD_TYPE_REFUSED',
    extension === ''
      ? `The ${name} plan does not accept files without an extension.`
      : `The ${name} plan does not accept .${extension} files.`,
  );
}

/** @throws {Failure} UPLOAD_TOO_LARGE for a file of more bytes than the plan takes. */
export function refuseSize({ maxFileSize }: Plan, bytes: number): void {
  if (bytes > maxFileSize) throw new Failure('UPLOAD_TOO_LARGE');
}
