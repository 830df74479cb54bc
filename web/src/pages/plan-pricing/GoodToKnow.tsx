import { plans } from '../../lib/plans.ts';

/** Common questions before a purchase. */
const answers = [
  {
    title: 'Who gets the speed?',
    text: 'Everyone who downloads your file: each address has the full speed of your plan, however many download at once. Under load the free speed can drop without notice.',
  },
  {
    title: 'What is cache priority?',
    text: 'Small files that are asked for often are served from memory. The higher the priority, the longer yours stay there.',
  },
  {
    title: 'What is a file slot?',
    text: 'Each file takes one, whatever its size. With no slot left the account is full, even where there is space.',
  },
  {
    title: 'What if I change to a smaller plan?',
    text: 'The change deletes nothing. If your files take more than the new plan has, uploads are refused until there is room.',
  },
  {
    title: 'What if a payment fails?',
    text: `You keep your plan for 7 days, in which it is tried again. After that you have the limits of ${plans.free.name} until it is paid; your files stay.`,
  },
  {
    title: 'What if I delete my account?',
    text: 'The subscription ends with it. Time that is left is not refunded.',
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
