/** Every language has a sample of these calls. */
const usualAnchors = [
  'file',
  'upload',
  'get-file-list',
  'toggle-favorite',
  'delete-files',
  'restore-files',
  'get-account-info',
  'get-account-settings',
] as const;
/** Other ways to upload, for which curl has a sample. */
const uploadAnchors = ['put-file', 'upload-batch', 'tus'] as const;
export const sampleAnchors = [...usualAnchors, ...uploadAnchors];
export type SampleAnchor = (typeof sampleAnchors)[number];
export type Samples = Readonly<
  Record<(typeof usualAnchors)[number], string> & Partial<Record<(typeof uploadAnchors)[number], string>>
>;
