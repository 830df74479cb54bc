import { freeExtensions } from '@holdfast/contract/src/plans.ts';
import { getRouteApi } from '@tanstack/react-router';
import { Pricing } from '../../components/pricing/Pricing.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { CheckoutNotice } from './CheckoutNotice.tsx';
import { GoodToKnow } from './GoodToKnow.tsx';

const route = getRouteApi('/open/plan-pricing');

export function PlanPricingPage() {
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 py-12 sm:px-6 md:py-16">
      <PageTitle tab="Pricing" className="text-title-l tracking-[-0.035em]">
        Pricing
      </PageTitle>
      <p className="mt-4 mb-8 max-w-[52ch] text-[18px] leading-7 text-muted">
        The API, resumable downloads and links without ads come with every plan. Paid plans add speed, room and any type
        of file.
      </p>
      <CheckoutNotice />
      <h2 className="sr-only">Plans</h2>
      <PlanPricing />
      <GoodToKnow />
      <FreeTypes />
    </div>
  );
}

/** A user who was redirected here because the plan was granted can buy a larger one. */
function PlanPricing() {
  return <Pricing isGift={route.useSearch().problem === 'granted'} />;
}

function FreeTypes() {
  return (
    <section aria-labelledby="free-types" className="mt-12">
      <h2 id="free-types" className="font-semibold">
        The {freeExtensions.size} file types that Free accepts
      </h2>
      <p className="mt-2 max-w-[90ch] font-mono text-s leading-6 text-muted">{[...freeExtensions].join(' ')}</p>
      <p className="mt-2 text-m text-muted">Every paid plan accepts any type.</p>
    </section>
  );
}
