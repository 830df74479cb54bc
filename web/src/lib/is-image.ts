import type { StoredFile } from '@holdfast/contract/src/files.ts';

/** Extensions of files that are shown as an image. */
const extensions: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png', 'gif', 'webp']);

export const isImage = ({ extension }: Pick<StoredFile, 'extension'>): boolean => extensions.has(extension);
