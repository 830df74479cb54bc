import { site } from '../../lib/site.ts';

export function About() {
  return (
    <section aria-labelledby="about" className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-[1200px] gap-x-16 gap-y-6 px-4 py-16 sm:px-6 lg:grid-cols-[1fr_1.6fr] lg:py-24">
        <h2 id="about" className="text-[32px] leading-10 font-semibold tracking-[-0.025em]">
          Made to stay put
        </h2>
        <div className="max-w-[62ch] space-y-4 text-[17px] leading-7 text-muted">
          <p>
            A holdfast is what anchors kelp to rock. {site.name} does the same for files: since 2015 it has served over
            100 million of them from servers around the world, each under one link that stays as long as you want it to.
          </p>
          <p>
            A file goes when you delete it. It does not expire after a month, it is not squeezed to save space, and
            nobody wraps it in a page of ads. Malware is not tolerated.
          </p>
        </div>
      </div>
    </section>
  );
}
