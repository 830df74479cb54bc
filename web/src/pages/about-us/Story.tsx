import { prose } from '../../layouts/prose.ts';
import { site } from '../../lib/site.ts';

export function Story() {
  return (
    <section aria-labelledby="story" className="mx-auto w-full max-w-[1200px] px-4 py-14 sm:px-6 lg:py-20">
      <div className="grid gap-x-16 gap-y-5 lg:grid-cols-[1fr_1.6fr]">
        <h2 id="story" className="text-[32px] leading-10 font-semibold tracking-[-0.025em]">
          Where it comes from
        </h2>
        <div className={`${prose} text-[17px]`}>
          <p>
            The service began in 2015 with a plain idea: a file that you share should come down as it went up, from a
            link that stays. In December 2021 it was renamed. By now it has served over 100 million files.
          </p>
          <p>
            A holdfast is what anchors kelp to rock. It does not feed the plant or steer it; it keeps it in its place
            while the sea moves. That is what {site.name} is for: the file stays as it is, and the link stays with it.
          </p>
          <p>
            Files come from servers around the world, and every link works on the mirror domains as well. You choose the
            domain that your links are made with. The API is free on every plan, because a file host that scripts cannot
            use is only half of one.
          </p>
          <p>
            {site.name} is meant for people aged 16 and over, with one account per person. The Free plan is free for as
            long as you use it; paid plans give more space, faster downloads and fewer upload limits.
          </p>
        </div>
      </div>
    </section>
  );
}
