import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';

export interface EventWords {
  /** What became of the file. */
  readonly what: string;
  readonly why: string;
}

/** What happened, and the rule behind it (decisions section 4). */
export const activityWords: Readonly<Record<ActivityEvent, EventWords>> = {
  continuous_uploading: {
    what: 'Deleted to make room',
    why: 'Your account was full, and Continuous Uploading was on: your oldest files went for a new one.',
  },
  inactivity: {
    what: 'Deleted unopened',
    why: 'Nobody had opened it for as long as you set under Auto Delete Inactive Files.',
  },
  dormancy: {
    what: 'Deleted with an unused account',
    why: 'The account had no sign-in, no upload and no use of its key for 12 months.',
  },
  malware: {
    what: 'Removed as malware',
    why: 'The scanner found malware in it. The same bytes cannot be uploaded again.',
  },
  takedown: {
    what: 'Taken down',
    why: 'There was a complaint about it. The same bytes cannot be uploaded again.',
  },
  restored: {
    what: 'Restored',
    why: 'It had been removed, and is back under its old link.',
  },
};
