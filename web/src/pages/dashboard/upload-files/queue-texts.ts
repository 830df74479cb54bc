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
  expired: 'The part that was sent has expired or was removed. Retry to send all of it again.',
  damaged: 'It was damaged on the way. Retry to send it again.',
  locationRemoved: 'Location removed',
  /** The rest of the file, such as a video in a photo, may have one. */
  locationPartlyRemoved: 'Location partly removed',
  noLocation: 'No location',
  locationUnchecked: 'Location not checked',
  /** An earlier attempt stored the file. */
  deletedSince: 'It was stored and has been deleted since. Retry to store it again.',
} as const;

export const pauseTexts = {
  'no-response': 'No response from server. Please check your connection.',
  away: 'The server is not available. Uploads resume when it responds.',
  busy: 'The server limits uploads for now.',
  elsewhere: 'This file is being uploaded in another tab or on another device. It continues here when that stops.',
} as const;
