import type { ActivityEvent } from '@holdfast/contract/src/activity.ts';

interface EventText {
  readonly what: string;
  readonly why: string;
}

/** The text for each event, with the rule that caused it. */
export const eventTexts: Readonly<Record<ActivityEvent, EventText>> = {
  continuous_uploading: {
    what: 'Deleted to make room',
    why: 'Your account was full and Continuous Uploading was on, so your oldest files were deleted to fit a new one.',
  },
  inactivity: {
    what: 'Deleted as inactive',
    why: 'Nobody opened them for the days you set in Auto Delete Inactive Files.',
  },
  dormancy: {
    what: 'Deleted with an inactive account',
    why: 'Your account was inactive for 12 months.',
  },
  malware: {
    what: 'Removed as malware',
    why: 'The scanner found malware. The same bytes cannot be uploaded again.',
  },
  takedown: {
    what: 'Taken down',
    why: 'We received a complaint. The same bytes cannot be uploaded again.',
  },
  restored: {
    what: 'Restored',
    why: 'The old link works again.',
  },
};
