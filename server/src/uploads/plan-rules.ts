import { typeRefusal } from '@holdfast/contract/src/accepted-types.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';

/** @throws {Failure} UPLOAD_TYPE_REFUSED for a type that the plan does not accept. */
export function refuseType(plan: Plan, extension: string): void {
  const refusal = typeRefusal(plan, extension);
  if (refusal !== undefined) throw new Failure('UPLOAD_TYPE_REFUSED', refusal);
}

/** @throws {Failure} UPLOAD_TOO_LARGE for a file larger than the plan allows. */
export function refuseSize({ maxFileSize }: Plan, bytes: number): void {
  if (bytes > maxFileSize) throw new Failure('UPLOAD_TOO_LARGE');
}
