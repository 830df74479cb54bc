import { pageHeading } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';

test('About Us states the facts about the service and links to uploading, plans, FAQs and licenses', async ({
  page,
}) => {
  await page.goto('/about-us');
  const main = page.getByRole('main');
  await expect(pageHeading(page)).toHaveText('About Us');
  for (const text of [
    'began in 2015',
    'In December 2021 it was renamed',
    'over 100 million files',
    'servers around the world',
    'free on every plan',
    'aged 16 and over, with one account per person',
    'Compress your files, or put watermarks on them',
    'Wrap downloads in ads',
    'Tolerate malware',
  ])
    await expect(main).toContainText(text);
  // This site has one domain.
  await expect(main).not.toContainText('mirror domains');
  for (const [name, path] of [
    ['Start Free Upload', '/dashboard'],
    ['See the plans', '/plan-pricing'],
    ['FAQs', '/faqs'],
  ] as const)
    await expect(main.getByRole('link', { name })).toHaveAttribute('href', path);

  await main.getByRole('link', { name: 'licenses' }).click();
  await expect(page).toHaveURL(/\/licenses\.txt$/);
  const text = await page.locator('body').innerText();
  // Also packages that only workers, fonts and styles come from.
  for (const name of ['react', '@radix-ui/react-slider', 'lucide-react', 'altcha-lib', 'tailwindcss', 'web-vitals'])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(text).toMatch(
    /^@fontsource-variable\/geist \S+\n\nLicense: OFL-1\.1\n\nCopyright .* The Geist Project Authors/m,
  );
});
