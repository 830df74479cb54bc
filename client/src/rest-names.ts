export const restNames = [
  'getFileList',
  'toggleFavorite',
  'deleteFiles',
  'restoreFiles',
  'getAccountInfo',
  'getAccountSettings',
] as const;
