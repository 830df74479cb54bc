import { useEffect, useEffectEvent } from 'react';
import { serverMessage } from '../../../api/errors.ts';
import { useDetectTimezone } from '../../../api/settings.ts';
import { guessTimezone } from '../../../lib/guess-timezone.ts';
import { toast } from '../../../ui/toast.ts';

/** Detects the time zone once when the settings open, and whenever it is called (spec section 4). */
export function useTimezoneDetection(): () => Promise<void> {
  const { mutateAsync } = useDetectTimezone();
  const detect = async () => {
    const { timezone_updated, timezone } = await mutateAsync(guessTimezone());
    if (timezone_updated) toast.success(`Timezone updated to ${timezone}`);
  };
  const detectOnOpening = useEffectEvent(() => {
    // Nobody asked for this one, so its failure is not worth a toast.
    detect().catch((error: unknown) => console.error(error));
  });
  useEffect(() => detectOnOpening(), []);
  return () => detect().catch((error: unknown) => void toast.error(serverMessage(error, 'Failed to update settings')));
}
