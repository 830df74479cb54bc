import { useTimeZone } from '../../../api/settings.ts';
import { calendarDay } from '../../../lib/time.ts';

/** The day of a moment, in the account's time zone. */
export function Day({ of }: { readonly of: string }) {
  const timeZone = useTimeZone();
  return <time dateTime={of}>{calendarDay(of, timeZone)}</time>;
}
