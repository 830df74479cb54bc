import type { Plan } from './plans.ts';

/** Undefined if the plan accepts them. */
export function typeRefusal(
  { name, allowedExtensions }: Pick<Plan, 'name' | 'allowedExtensions'>,
  extension: string,
): string | undefined {
  if (!allowedExtensions || allowedExtensions.has(extension)) return undefined;
  return extension === ''
    ? `The ${name} plan does not accept files without an extension.`
    : `The ${name} plan does not accept .${extension} files.`;
}
