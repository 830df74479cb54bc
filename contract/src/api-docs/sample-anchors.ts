export const sampleAnchors = [
  'file',
  'upload',
  'get-file-list',
  'toggle-favorite',
  'delete-files',
  'restore-files',
  'get-account-info',
  'get-account-settings',
] as const;
export type SampleAnchor = (typeof sampleAnchors)[number];
export type Samples = Readonly<Record<SampleAnchor, string>>;
