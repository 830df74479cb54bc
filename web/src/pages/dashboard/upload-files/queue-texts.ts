/** Texts of a row of the queue, apart from what the server says. */
export const rowTexts = {
  ready: 'Ready',
  waiting: 'Waiting',
  /** Between two attempts, one of which sent all of the file. */
  waitingSent: 'Waiting. It may already be stored.',
  processing: 'Server processing file, please wait...',
  stalled: 'Stalled',
  canceled: 'Upload canceled',
  /** Under a file that was canceled after its last byte. */
  sentInFull: 'All of it was sent, so it may be stored. Retry to get its link.',
  changed: 'It has changed since you chose it. Choose it again.',
  /** Browsers do not tell these cases apart. */
  unreadable: 'It cannot be read: it has changed since you chose it, or you have no permission. Choose it again.',
  /** An earlier attempt stored the file. */
  deletedSince: 'It was stored and has been deleted since. Retry to store it again.',
} as const;

export const pauseTexts = {
  'no-response': 'No response from server. Please check your connection.',
  away: 'The server is not available. Uploads resume when it responds.',
  busy: 'The server limits uploads for now.',
} as const;
