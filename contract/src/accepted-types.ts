import type { Plan } from './plans.ts';

/**
 * Returns why a plan does not accept files with this extension, in lower case and without its dot; undefined if it
 * does.
 */
export function typeRefusal(
  { name, allowedExtensions }: Pick<Plan, 'name' | 'allowedExtensions'>,
  extension: string,
): string | undefined {
  if (!allowedExtensions || allowedExtensions.has(extension)) return undefined;
  return extension === ''
    ? `The ${name} plan does not accept files without an extension.`
    : `The ${name} plan does not accept .${extension} files.`;
}
