import { type Clock, hours } from './clock.ts';

/** Returns a check that is true for the first `most` names of an hour, once each: anyone can send any name. */
export function onceAnHour(clock: Pick<Clock, 'monotonic'>, most: number): (name: string) => boolean {
  const said = new Set<string>();
  let since = -Infinity;
  return (name) => {
    if (clock.monotonic() - since >= hours(1)) {
      said.clear();
      since = clock.monotonic();
    }
    if (said.has(name) || said.size === most) return false;
    said.add(name);
    return true;
  };
}
