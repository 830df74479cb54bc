/** Spec section 2: four feature cards. */
const features = [
  {
    title: 'Links that stay',
    text: 'While you use your account no link expires. Downloads resume where they broke off, to the same SHA-256.',
  },
  {
    title: 'Limits, stated',
    text: 'Size, space and speed stand in front of you before you choose a file. The speed is for each visitor.',
  },
  { title: 'Scripts welcome', text: 'The API is free on every plan. One header, one POST, one link.' },
  {
    title: 'Nothing added',
    text: 'The bytes that come down are the bytes that went up: no compression, no watermark, no ads.',
  },
] as const;

export function Features() {
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
