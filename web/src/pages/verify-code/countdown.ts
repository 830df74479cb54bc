import { useEffect, useState } from 'react';

/** Seconds as m:ss. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Whole seconds until a moment, never below zero. */
export const secondsUntil = (moment: number, now: number): number => Math.max(0, Math.ceil((moment - now) / 1000));

/** Seconds left until a moment, given in milliseconds. It goes by the clock, so a tab that slept wakes up with the right figure. */
export function useCountdown(firstEnd: number): readonly [seconds: number, restart: (end: number) => void] {
  const [end, setEnd] = useState(firstEnd);
  const [now, setNow] = useState(Date.now);
  const left = secondsUntil(end, now);
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  const restart = (newEnd: number) => {
    setNow(Date.now());
    setEnd(newEnd);
  };
  return [left, restart];
}
