import { getRouteApi } from '@tanstack/react-router';
import { Pricing } from '../../components/pricing/Pricing.tsx';
import { paidAdditions, plansForAnyType, restrictedPlans, type RestrictedPlan } from '../../lib/plan-texts.ts';
import { plans } from '../../lib/plans.ts';
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
        The API, resumable downloads and links without ads come with every plan. Paid plans add {paidAdditions(plans)}.
      </p>
      <CheckoutNotice />
      <h2 className="sr-only">Plans</h2>
      <PlanPricing />
      <GoodToKnow />
      {restrictedPlans(plans).map((plan) => (
        <AcceptedTypes key={plan.level} plan={plan} />
      ))}
      <AnyType />
    </div>
  );
}

/** A user who was redirected here because the plan was granted can buy a larger one. */
function PlanPricing() {
  const { problem } = route.useSearch();
  return <Pricing isGift={problem === 'granted'} isExplained={problem === 'not-for-sale'} />;
}

function AcceptedTypes({ plan: { level, name, allowedExtensions } }: { readonly plan: RestrictedPlan }) {
  const types = allowedExtensions.size === 1 ? 'file type' : `${allowedExtensions.size} file types`;
  return (
    <section aria-labelledby={`${level}-types`} className="mt-12">
      <h2 id={`${level}-types`} className="font-semibold">
        The {types} that {name} accepts
      </h2>
      <p className="mt-2 max-w-[90ch] font-mono text-s leading-6 text-muted">{[...allowedExtensions].join(' ')}</p>
    </section>
  );
}

/** Nothing if no plan has a list of types: then the cards say it. */
function AnyType() {
  const open = plansForAnyType(plans);
  if (open === '' || restrictedPlans(plans).length === 0) return null;
  return (
    <p className="mt-2 text-m text-muted">
      {open === 'paid plan' ? 'Every paid plan accepts any type.' : `Any type is accepted by ${open}.`}
    </p>
  );
}
