import type { Peers, Topic } from '../../src/engines/peers/peers.ts';
import type { World } from './virtual-clients.ts';

export interface LinkedPeers extends Pick<Peers, 'exchange' | 'exchangeSoon' | 'isAlone'> {
  /** Ends this one in order; the last one is alone then. */
  end(): void;
}

const every = 1_000;
const soonestMs = 200;

/** Processes in virtual time that exchange notes as real ones do, each at moments of its own. */
export function linkPeers(world: World, count: number): LinkedPeers[] {
  const written = new Map<number, ReadonlyMap<string, string>>();
  return Array.from({ length: count }, (_, place): LinkedPeers => {
    const topics: Topic[] = [];
    const isAlone = () => written.size === 1;
    const look = () => {
      if (!written.has(place)) return;
      const own = new Map(topics.flatMap((topic) => [...topic.own()]));
      written.set(place, own);
      const others = new Map<string, string[]>();
      for (const [other, notes] of written)
        if (other !== place)
          for (const [key, note] of notes) if (own.has(key)) others.set(key, [...(others.get(key) ?? []), note]);
      for (const topic of topics) topic.receive(others);
    };
    const lookAgain = () => {
      look();
      world.after(every, lookAgain);
    };
    written.set(place, new Map());
    world.after((every * (place + 1)) / (count + 1), lookAgain);
    return {
      isAlone,
      exchange: (topic) => void topics.push(topic),
      exchangeSoon: () => void world.after(soonestMs, look),
      end: () => void written.delete(place),
    };
  });
}
