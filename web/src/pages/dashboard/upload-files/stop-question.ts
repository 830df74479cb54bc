import type { Leaving } from '../../../api/upload/upload-guard.ts';
import { openStore } from '../../../lib/store.ts';

interface StopQuestion {
  readonly leaving: Leaving;
  readonly settle: (agreed: boolean) => void;
}

export const stopQuestion = openStore<StopQuestion | undefined>(undefined);

/** Resolves with whether the user agrees to stop the uploads. */
export function askToStop(leaving: Leaving): Promise<boolean> {
  answerStop(false);
  return new Promise((settle) => stopQuestion.set({ leaving, settle }));
}

export function answerStop(agreed: boolean): void {
  stopQuestion.read()?.settle(agreed);
  stopQuestion.set(undefined);
}
