import { plans } from '../../lib/plans.ts';

/** Common questions before a purchase. */
const answers = [
  {
    title: 'Who gets the speed?',
    text: 'Everyone who downloads your files. Each IP address gets your plan’s full speed. The free speed can drop without notice under load.',
  },
  {
    title: 'What is cache priority?',
    text: 'Popular small files are served from memory. A higher priority keeps yours there longer.',
  },
  {
    title: 'What is a file slot?',
    text: 'Each file takes one, whatever its size. When your slots run out, your account is full even if space is left.',
  },
  {
    title: 'What if I change to a smaller plan?',
    text: 'Nothing is deleted. If you are over the new limit, free up space before you upload again.',
  },
  {
    title: 'What if a payment fails?',
    text: `We retry for 7 days and you keep your plan. After that, the limits of ${plans.free.name} apply until you pay. Your files stay.`,
  },
  {
    title: 'What if I delete my account?',
    text: 'Your subscription is canceled. Unused time is not refunded.',
  },
] as const;

export function GoodToKnow() {
  return (
    <section aria-labelledby="good-to-know" className="mt-16">
      <h2 id="good-to-know" className="text-title-m font-semibold tracking-[-0.02em]">
        Good to know
      </h2>
      <dl className="mt-4 grid gap-x-12 border-t border-line md:grid-cols-2">
        {answers.map(({ title, text }) => (
          <div key={title} className="border-b border-line py-5">
            <dt className="font-medium">{title}</dt>
            <dd className="mt-1 max-w-[60ch] text-m text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
