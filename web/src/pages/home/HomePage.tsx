import { type ReactNode, Suspense, useState } from 'react';
import { lazyPage } from '../../lib/lazy-page.ts';
import { freeUploads, paidReasons, perFile } from '../../lib/plan-texts.ts';
import { plans } from '../../lib/plans.ts';
import { defaultName } from '../../lib/read-site.ts';
import { site } from '../../lib/site.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Contours } from '../../ui/Contours.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ProductDemo } from '../../components/ProductDemo.tsx';
import { Uses } from './Uses.tsx';

// It is at the end of the page, which most visitors do not reach.
const Pricing = lazyPage(() =>
  import('../../components/pricing/Pricing.tsx').then(
    (code) => code.Pricing,
    () => () => null,
  ),
);

export function HomePage() {
  return (
    <>
      <Hero />
      <Features />
      <Uses />
      <About />
      {site.pricing && <HomePlans />}
    </>
  );
}

function Hero() {
  return (
    <section className="relative overflow-clip border-b border-line">
      <Contours className="absolute top-1/2 left-1/2 hidden h-[860px] w-[max(980px,57vw)] max-w-none -translate-x-[12%] -translate-y-1/2 [mask-image:linear-gradient(to_right,transparent_8%,black_45%)] lg:block" />
      <div className="relative mx-auto grid max-w-[1200px] grid-cols-[minmax(0,1fr)] items-center gap-10 px-4 py-12 sm:px-6 md:py-20 lg:grid-cols-[minmax(0,1.02fr)_minmax(0,.98fr)] lg:gap-16 lg:py-28">
        <div>
          <PageTitle tab="Home" className="text-title-l tracking-[-0.035em]">
            {heading}
          </PageTitle>
          <p className="mt-5 mb-8 max-w-[46ch] text-[18px] leading-7 text-muted">{lead}</p>
          <div className="grid gap-3 sm:flex sm:flex-wrap">
            <ButtonLink to="/dashboard" state={{ isNew: true }} variant="primary" size="l">
              {site.pricing ? 'Start Free Upload' : 'Upload Files'}
            </ButtonLink>
            {site.pricing && (
              <ButtonLink to="/plan-pricing" size="l">
                Explore Premium Plans
              </ButtonLink>
            )}
            <ButtonLink to="/about-us" variant="quiet" size="l">
              Learn More<span className="sr-only"> about {site.name}</span>
            </ButtonLink>
          </div>
        </div>
        <ProductDemo />
      </div>
    </section>
  );
}

const { claims, since } = site;
/** A site without prices is for a circle of people, and makes no standard claims unless its operator chose to. */
const isPrivate = !site.pricing && claims !== null;

const heading =
  claims?.title ?? (isPrivate && site.name !== defaultName ? `Files and links for ${site.name}` : 'A link that holds.');

const lead =
  claims?.lead ??
  (isPrivate
    ? 'Upload a file, get one public link, and keep it, with no compression, no watermark and no ads.'
    : `Upload a file, get one public link, and keep it. ${freeUploads(plans[site.defaultPlan])}${perFile(plans[site.defaultPlan])} and free API access, with no compression, no watermark and no ads.`);

function Features() {
  return (
    <section aria-label="Features" className="mx-auto w-full max-w-[1200px] px-4 sm:px-6">
      <ul className="grid sm:grid-cols-2 lg:grid-cols-4 lg:divide-x lg:divide-line">
        {features.map(({ title, text }) => (
          <li
            key={title}
            className="border-line py-7 pr-7 max-sm:not-last:border-b sm:max-lg:nth-[-n+2]:border-b lg:py-12 lg:not-first:pl-7"
          >
            <h2 className="font-semibold">{title}</h2>
            <p className="mt-1.5 max-w-[38ch] text-m text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const features = [
  {
    title: 'Links that stay',
    text: "Links don't expire while your account is active. Interrupted downloads resume, byte for byte.",
  },
  {
    title: 'Clear limits',
    text: "You see size, space and speed limits before you upload. Every visitor gets your plan's full speed.",
  },
  {
    title: 'Scripts welcome',
    text: `${site.pricing ? 'The API is free on every plan' : 'Every account has an API key'}. One header, one POST, one link.`,
  },
  {
    title: 'Nothing added',
    text: 'A file is downloaded exactly as it was uploaded: no compression, no watermark, no ads.',
  },
] as const;

function About() {
  return (
    <section aria-labelledby="about" className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-[1200px] gap-x-16 gap-y-6 px-4 py-16 sm:px-6 lg:grid-cols-[1fr_1.6fr] lg:py-24">
        <h2 id="about" className="text-[32px] leading-10 font-semibold tracking-[-0.025em]">
          Made to stay put
        </h2>
        <div className="max-w-[62ch] space-y-4 text-[17px] leading-7 text-muted">
          {about.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      </div>
    </section>
  );
}

const about = claims?.home ?? [
  claims === null
    ? `A holdfast is what anchors kelp to rock. ${site.name} does the same for files: since 2015 it has served over 100 million of them from servers around the world, each under one link that stays as long as you want it to.`
    : `${since === null ? '' : `Since ${since} `}${site.name} keeps each file under one link, which stays as long as you want it to.`,
  'Files do not expire after a month, are not compressed to save space, and are not wrapped in a page of ads. You can delete them at any time. Malware is not tolerated.',
];

function HomePlans() {
  return (
    <section aria-labelledby="plans" className="border-t border-line">
      <div className="mx-auto max-w-[1200px] px-4 py-16 sm:px-6 lg:py-24">
        <h2 id="plans" className="text-[32px] leading-10 font-semibold tracking-[-0.025em]">
          Pricing
        </h2>
        <p className="mt-3 mb-8 max-w-[56ch] text-[17px] leading-7 text-muted">
          Start free. Pay for {paidReasons(plans)} when you need them. Every plan includes the API.
        </p>
        <WhenNear>
          <Pricing />
        </WhenNear>
      </div>
    </section>
  );
}

/** Renders its content once the reader comes near it. */
function WhenNear({ children }: { readonly children: ReactNode }) {
  const [isNear, setNear] = useState(false);
  const watch = (place: Element | null) => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '1000px',
    });
    if (place) observer.observe(place);
    return () => observer.disconnect();
  };
  const space = <div ref={watch} className="min-h-[500px]" />;
  return isNear ? <Suspense fallback={space}>{children}</Suspense> : space;
}
