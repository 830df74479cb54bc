import { Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { WhenNear } from '../../ui/WhenNear.tsx';

const Pricing = lazyPart(async () => (await import('../../layouts/pricing/Pricing.tsx')).Pricing, ToPricing);

export function Plans() {
  return (
    <section aria-labelledby="plans" className="border-t border-line">
      <div className="mx-auto max-w-[1200px] px-4 py-16 sm:px-6 lg:py-24">
        <h2 id="plans" className="text-[32px] leading-10 font-semibold tracking-[-0.025em]">
          Pricing
        </h2>
        <p className="mt-3 mb-8 max-w-[56ch] text-[17px] leading-7 text-muted">
          Start free. Pay for faster downloads and more room once you need them; the API is part of every plan.
        </p>
        <WhenNear fallback={placeholder}>
          <Suspense fallback={placeholder}>
            <Pricing />
          </Suspense>
        </WhenNear>
      </div>
    </section>
  );
}

/** In the place of the plans when they did not come. */
function ToPricing() {
  return <ButtonLink to="/plan-pricing">See the plans and their prices</ButtonLink>;
}

// As high as the cards that come, so that the footer stays where it is.
const placeholder = <Skeleton className="h-[2150px] w-full md:h-[1470px] lg:h-[1000px] xl:h-[560px]" />;
